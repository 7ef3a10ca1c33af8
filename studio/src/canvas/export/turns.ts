/** Milliseconds of work after which others get a turn. */
const SLICE = 12;

const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port1.onmessage = () => waiting.shift()?.();

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(0);
  });

/** Runs the work to its end, other tasks between its slices; `each` sees what it yields. */
export async function inSlices<Value>(
  work: Iterator<Value, void>,
  each: (value: Value) => void = () => {},
): Promise<void> {
  let until = performance.now() + SLICE;
  for (let step = work.next(); !step.done; step = work.next()) {
    each(step.value);
    if (performance.now() < until) continue;
    await turn();
    until = performance.now() + SLICE;
  }
}
