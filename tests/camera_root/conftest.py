"""What runs inside the root cannot be imported outside of it, not even to look for doctests."""

collect_ignore = ["play.py", "virtual.py"]
