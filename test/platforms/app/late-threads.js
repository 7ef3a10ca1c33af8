import * as api from '/node_modules/sardonyx/dist/index.js';
import { check } from './check.js';
import { fetchExample, threads } from './example.js';

/** Goes on running, and does nothing else, until the threads are there. */
async function loop(example) {
  api.env.wasm.workerUrl = '/late/kernel-worker.js';
  const { InferenceSession, Tensor } = api;
  const session = await InferenceSession.create('/model.onnx', { intraOpNumThreads: threads });
  const feeds = {
    [example.input.name]: new Tensor('float32', Float32Array.from(example.input.data), example.input.dims),
  };
  const end = performance.now() + 20_000;
  while (session.threads < threads && performance.now() < end) await session.run(feeds);
  return session.threads;
}

globalThis.outcome = fetchExample().then(async (example) => ({
  threads: await loop(example),
  error: (await check(api, '/model.onnx', example, 1)).error,
}));
