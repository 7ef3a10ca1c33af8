/** Tiles of each thread between two looks at the budget: of some ten microseconds, but up to 300 in large convolutions. */
export const TILES_PER_LOOK = 8;

/** How long a run may continue before others have their turn. */
export interface Budget {
  isSpent(): boolean;
}

/** Time slices of this number of milliseconds, started by `begin`; a clock that is set back ends one. */
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

/** As they were at first: those who test with a clock of their own replace them, and would wait for a turn that never comes. */
const { setImmediate, setTimeout, MessageChannel } = globalThis as typeof globalThis & Timers;

/** How long runs may follow each other without a turn, in milliseconds: two frames of a page. To take one costs some 20 µs in Node. */
const LONGEST_WITHOUT_TURN = 30;
let lastTurn = performance.now();

/** Whether timers and messages have waited so long that they go first. */
export function isTurnDue(): boolean {
  const passed = performance.now() - lastTurn;
  return passed < 0 || passed >= LONGEST_WITHOUT_TURN;
}

/** Lets the event loop deliver what is waiting: timers and messages, not only promises. */
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
