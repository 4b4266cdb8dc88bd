export interface StallWatch {
  alive(): void;
  stop(): void;
}

/** Calls `onStall` once when alive() was not called for `afterMs`. */
export function watchForStall(afterMs: number, onStall: () => void): StallWatch {
  let lastSign = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - lastSign < afterMs) return;
    clearInterval(timer);
    onStall();
  }, 1_000);
  return {
    alive: () => {
      lastSign = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}
