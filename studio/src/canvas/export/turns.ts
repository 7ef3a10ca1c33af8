/** Milliseconds of work before yielding to other tasks. */
const SLICE = 12;

const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port1.onmessage = () => waiting.shift()?.();

let until = 0;

/** Lets other tasks run if the thread has worked long enough. */
export async function breathe(): Promise<void> {
  if (performance.now() < until) return;
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    port2.postMessage(0);
  });
  until = performance.now() + SLICE;
}

/** Runs the work to its end, yielding to other tasks between steps; `each` is called after every step. */
export async function inSlices(work: Iterator<unknown, void>, each: () => void = () => {}): Promise<void> {
  while (!work.next().done) {
    each();
    if (performance.now() >= until) await breathe();
  }
}
