// What this phone alone decides and remembers: each switch on the page is a setting, off until somebody turns it on.

const PREFIX = "croupier-";

/** Whether a setting is on. Where nothing can be stored (private windows), everything is off. */
export function isOn(name) {
  try {
    return localStorage.getItem(PREFIX + name) === "on";
  } catch {
    return false;
  }
}

/** Shows a setting's switch; `changed` is called with its state now, and whenever it is switched. */
export function offer(name, changed) {
  const input = document.querySelector(`[data-setting="${name}"]`);
  if (!input) return;
  input.checked = isOn(name);
  input.closest(".switch").hidden = false;
  input.addEventListener("change", () => {
    try {
      localStorage.setItem(PREFIX + name, input.checked ? "on" : "off");
    } catch {
      // It holds until the page is left.
    }
    changed(input.checked);
  });
  if (input.checked) changed(true);
}

/** Calls once somebody has touched the page: browsers let no page make a sound, or play a video, before that. */
export function afterTouch(call) {
  if (navigator.userActivation?.isActive) return call();
  const first = () => {
    removeEventListener("pointerup", first);
    removeEventListener("keydown", first);
    call();
  };
  addEventListener("pointerup", first);
  addEventListener("keydown", first);
}
