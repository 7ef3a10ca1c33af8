import * as here from '/node_modules/sardonyx/dist/index.js';
import * as there from '/node_modules/sardonyx/dist/worker.js';

here.env.wasm.numThreads = 1;

const { port1, port2 } = new MessageChannel();
const nextTask = () =>
  new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });

/** The longest time, in milliseconds, without a turn for an otherwise idle page during `work`. */
async function longestGap(work) {
  let [last, longest, isOver] = [performance.now(), 0, false];
  work().then(() => {
    isOver = true;
  });
  while (!isOver) {
    await nextTask();
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  return longest;
}

const floats = (dims) =>
  new here.Tensor('float32', new Float32Array(dims.reduce((product, dim) => product * dim, 1)), dims);
const mebibytes = (count) => floats([count * 2 ** 18]);

const sessions = new Map();
const sessionOf = (api, model) => {
  const key = `${model} ${api === here}`;
  if (!sessions.has(key)) sessions.set(key, api.InferenceSession.create(`/${model}.onnx`));
  return sessions.get(key);
};

async function create(api, model, options) {
  const session = await api.InferenceSession.create(model, options);
  return () => session.release();
}

/** Runs the large model on an input of zeros. */
async function runLarge(api, options) {
  const session = await sessionOf(api, 'large');
  const [{ name, shape }] = session.inputMetadata;
  const feeds = { [name]: floats(shape.map((dim) => (typeof dim === 'number' ? dim : 1))) };
  await session.run(feeds, options?.());
  return () => session.run(feeds, options?.());
}

/** Adds one to `count` mebibytes. */
async function runAdder(count, options, fetches) {
  const session = await sessionOf(there, 'adder');
  const feeds = { x: mebibytes(count) };
  const given = fetches && { y: mebibytes(count) };
  return () => session.run(feeds, given, options);
}

const bytes = async () => (await fetch('/large.onnx')).arrayBuffer();

/** Cases to measure; each prepares its work first. */
const CASES = {
  'nothing, for 0.3 s': () => () => new Promise((resolve) => setTimeout(resolve, 300)),
  'worker: create from a URL': () => () => create(there, '/large.onnx'),
  'worker: create from bytes': async () => {
    const model = await bytes();
    return () => create(there, model);
  },
  'worker: create from bytes handed over': async () => {
    const model = await bytes();
    return () => create(there, model, { transfer: true });
  },
  'worker: run': () => runLarge(there),
  'worker: 16 MiB in, 16 out': () => runAdder(16),
  'worker: 16 MiB in, 16 out into a given tensor': () => runAdder(16, {}, true),
  'worker: 16 MiB handed over, 16 out': () => runAdder(16, { transfer: true }),
  'worker: 64 MiB in, 64 out': () => runAdder(64),
  'worker: 64 MiB in, 64 out into a given tensor': () => runAdder(64, {}, true),
  'worker: 64 MiB handed over, 64 out': () => runAdder(64, { transfer: true }),
  'page: create from a URL': () => () => create(here, '/large.onnx'),
  'page: run': () => runLarge(here),
  'page: run with a signal': () => runLarge(here, () => ({ signal: new AbortController().signal })),
};

const parameters = new URLSearchParams(location.search);
const watch = parameters.has('traced') ? (work) => work() : longestGap;

/** Gaps by case, and a measure in the page's timeline for each. */
async function measure(rounds) {
  const gaps = Object.fromEntries(Object.keys(CASES).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, makeReady] of Object.entries(CASES)) {
      const work = await makeReady();
      let undo;
      await nextTask();
      const start = performance.now();
      gaps[name].push(
        await watch(async () => {
          undo = await work();
        }),
      );
      performance.measure(name, { start, end: performance.now() });
      await nextTask();
      if (typeof undo === 'function') await undo();
    }
  return gaps;
}

globalThis.outcome = measure(Number(parameters.get('rounds')));
