import * as api from '/node_modules/sardonyx/dist/index.js';
import { createPool } from '/node_modules/sardonyx/dist/pool.js';
import * as worker from '/node_modules/sardonyx/dist/worker.js';
import { check, pooled } from './check.js';
import { fetchExample } from './example.js';
import { KILLED, LIVES, leftOf } from './lives.js';
import { fromAnything, listed, withExternalData } from './loading.js';

const { Tensor } = api;
const example = await fetchExample();
const modelOf = async (name = 'model') => new Uint8Array(await (await fetch(`/${name}.onnx`)).arrayBuffer());
const feedsOf = ({ input: { name, data, dims } }) => ({ [name]: new Tensor('float32', Float32Array.from(data), dims) });
const codeOf = (promise) =>
  promise.then(
    () => 'it settled',
    ({ code, name }) => code ?? name,
  );
const WAYS = { main: api, worker, pool: pooled({ createPool, ...api }) };

const warnings = [];
const { warn } = console;
console.warn = (text) => {
  warnings.push(`${text}`);
  warn(text);
};

/** On the page's thread, in a worker and in a pool: how far off, and how many threads. */
async function ways(threads) {
  const found = {};
  for (const [name, on] of Object.entries(WAYS)) {
    found[name] = await check(on, '/model.onnx', example, threads);
    // Firefox may block where workers start other workers while some are ending.
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return { found, warnings };
}

/** An aborted load of a stream, an aborted run, and limits, on the page's thread and in a worker. */
async function refusals() {
  const codes = {};
  for (const [name, { InferenceSession }] of Object.entries({ main: api, worker })) {
    let stopped = false;
    const endless = new ReadableStream({
      pull: () => new Promise(() => {}),
      cancel: () => {
        stopped = true;
      },
    });
    const controller = new AbortController();
    const loading = codeOf(InferenceSession.create(endless, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    const session = await InferenceSession.create('/model.onnx');
    const gone = AbortSignal.abort();
    codes[name] = [
      await loading,
      stopped,
      await codeOf(session.run(feedsOf(example), { signal: gone })),
      await codeOf(session.run(feedsOf(example), { limits: { memoryBytes: 1 } })),
      await codeOf(InferenceSession.create('/absent.onnx')),
    ];
    await session.release();
    codes[name].push(await codeOf(session.run(feedsOf(example))));
  }
  return codes;
}

/** Timers and frames that come while a loop awaits nothing but runs, so many in all. */
async function turns(most) {
  const session = await api.InferenceSession.create('/model.onnx', { intraOpNumThreads: 1 });
  const feeds = feedsOf(example);
  const seen = { timers: 0, frames: 0 };
  const timer = setInterval(() => seen.timers++, 1);
  const draw = () => {
    seen.frames++;
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
  for (let i = 0; i < most && (seen.timers < 3 || seen.frames < 3); i++) await session.run(feeds);
  clearInterval(timer);
  await session.release();
  return seen;
}

/** Chromium and Firefox are started so that pages can ask for it; WebKit has no such thing. */
async function collect() {
  await globalThis.gc?.({ execution: 'async' });
  await globalThis.TestUtils?.gc();
  await new Promise((resolve) => setTimeout(resolve, 20));
}

const made = [];
let life = '';
const note = (object, isWorking) => {
  const noted = { life, object: new WeakRef(object), isWorking };
  made.push(noted);
  return noted;
};
const { Worker: PlainWorker } = globalThis;
const PlainMemory = WebAssembly.Memory;

/** All workers and memories are watched, and held by nobody. */
const watch = {
  begin(name) {
    life = name;
  },
  async kill() {
    for (const each of made) if (each.life === life && each.isWorking) each.object.deref().terminate();
  },
  collect,
  left() {
    const left = {};
    for (const each of made) {
      left[each.life] ??= { workers: 0, objects: 0 };
      if (each.isWorking) left[each.life].workers++;
      if (each.object.deref()) left[each.life].objects++;
    }
    return left;
  },
};

function watchWorkers() {
  globalThis.Worker = class extends PlainWorker {
    #noted;
    constructor(...given) {
      super(...given);
      this.#noted = note(this, true);
    }
    terminate() {
      this.#noted.isWorking = false;
      super.terminate();
    }
  };
  WebAssembly.Memory = class extends PlainMemory {
    constructor(...given) {
      super(...given);
      note(this, false);
    }
  };
}

const openers = {
  session: (model, options) => api.InferenceSession.create(model, options),
  worker: (model, options) => worker.InferenceSession.create(model, options),
  pool: (model, options) => createPool(model, { ...options, size: 2 }),
};

async function lives(kind, threads) {
  const all = kind === 'session' ? { ...LIVES, ...KILLED } : LIVES;
  watchWorkers();
  made.length = 0;
  try {
    return await leftOf(openers, kind, threads, { model: await modelOf(), feeds: feedsOf(example) }, watch, all);
  } finally {
    globalThis.Worker = PlainWorker;
    WebAssembly.Memory = PlainMemory;
  }
}

globalThis.checks = { ways, refusals, turns, lives, fromAnything, withExternalData, listed };
document.title = 'ready';
