// Drawing in order: an older answer that comes late must not take the place of a newer one.

/** `work`, never twice at a time; called meanwhile, it runs once more. The promise ends with the last run. */
export function inOrder(work) {
  let running = null;
  let again = false;
  return () => {
    again = true;
    running ??= (async () => {
      try {
        while (again) {
          again = false;
          await work();
        }
      } finally {
        running = null;
      }
    })();
    return running;
  };
}
