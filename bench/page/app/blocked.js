import * as here from '/node_modules/sardonyx/dist/index.js';
import * as there from '/node_modules/sardonyx/dist/worker.js';

here.env.wasm.numThreads = 1;

/** The longest time, in milliseconds, for which the page gets no turn while `work` goes on. */
async function longestGap(work) {
  const { port1, port2 } = new MessageChannel();
  let [last, longest, isOver] = [performance.now(), 0, false];
  const beat = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) port2.postMessage(null);
  };
  port1.onmessage = beat;
  beat();
  await work();
  isOver = true;
  beat();
  port1.close();
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

/** On the page's own input of the large model. */
async function runLarge(api, options) {
  const session = await sessionOf(api, 'large');
  const [{ name, shape }] = session.inputMetadata;
  const feeds = { [name]: floats(shape.map((dim) => (typeof dim === 'number' ? dim : 1))) };
  await session.run(feeds, options?.());
  return () => session.run(feeds, options?.());
}

/** Adds one to so many mebibytes. */
async function runAdder(count, options, fetches) {
  const session = await sessionOf(there, 'adder');
  const feeds = { x: mebibytes(count) };
  const given = fetches && { y: mebibytes(count) };
  return () => session.run(feeds, given, options);
}

const bytes = async () => (await fetch('/large.onnx')).arrayBuffer();

/** What is done; each gets ready first. */
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
  'worker: 64 MiB handed over, 64 out': () => runAdder(64, { transfer: true }),
  'page: create from a URL': () => () => create(here, '/large.onnx'),
  'page: run': () => runLarge(here),
  'page: run with a signal': () => runLarge(here, () => ({ signal: new AbortController().signal })),
};

async function measure(rounds) {
  const gaps = Object.fromEntries(Object.keys(CASES).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, makeReady] of Object.entries(CASES)) {
      const work = await makeReady();
      let undo;
      const gap = await longestGap(async () => {
        undo = await work();
      });
      if (typeof undo === 'function') await undo();
      gaps[name].push(gap);
    }
  return gaps;
}

globalThis.outcome = measure(Number(new URLSearchParams(location.search).get('rounds')));
