/** Tiles per thread between two checks of the budget: some ten microseconds, up to 300 in large convolutions. */
export const TILES_PER_LOOK = 8;

/** Time for a run before it must yield. */
export interface Budget {
  isSpent(): boolean;
}

/** Time slices of this number of milliseconds, started by `begin`. A clock that is set back ends a slice. */
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

/** The original functions: tests with fake timers replace the global ones, and would wait forever. */
const { setImmediate, setTimeout, MessageChannel } = globalThis as typeof globalThis & Timers;

/** The longest time without a turn, in milliseconds: two frames of a page. A turn takes some 20 µs in Node. */
const LONGEST_WITHOUT_TURN = 30;
let lastTurn = performance.now();

/** Whether it is time to let timers and messages run. */
export function isTurnDue(): boolean {
  const passed = performance.now() - lastTurn;
  return passed < 0 || passed >= LONGEST_WITHOUT_TURN;
}

/** Lets the event loop deliver waiting timers and messages, not only promises. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) =>
    inNextTurn(() => {
      lastTurn = performance.now();
      resolve();
    }),
  );
}

function inNextTurn(call: () => void): void {
  if (setImmediate) setImmediate(call);
  else if (MessageChannel) post(call);
  else setTimeout(call);
}

function post(call: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    call();
  };
  port2.postMessage(null);
}
