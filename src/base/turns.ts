/** Tiles of each thread between two looks at the budget: of some ten microseconds, but up to 300 in large convolutions. */
export const TILES_PER_LOOK = 8;

/** How long a run may go on before others have their turn. */
export interface Budget {
  isSpent(): boolean;
}

/** Time in slices of so many milliseconds, begun anew by `begin`; a clock that is set back ends one. */
export class TimeSlice implements Budget {
  #begun = 0;

  constructor(private readonly milliseconds: number) {}

  begin(): void {
    this.#begun = performance.now();
  }

  isSpent(): boolean {
    const passed = performance.now() - this.#begun;
    return passed < 0 || passed >= this.milliseconds;
  }
}

type Timers = { setImmediate?: (callback: () => void) => unknown };

/** Lets the event loop deliver what is waiting: timers and messages, not only promises. */
export function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as Timers;
  if (setImmediate) return new Promise((resolve) => setImmediate(resolve));
  if (typeof MessageChannel === 'undefined') return new Promise((resolve) => setTimeout(resolve));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
