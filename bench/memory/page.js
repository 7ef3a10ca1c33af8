// load.ts in a page, whose process is measured from outside.
import { env, InferenceSession, Tensor } from '/dist/index.js';

globalThis.load = async (source, width) => {
  env.wasm.numThreads = 1;
  const started = performance.now();
  const session = await InferenceSession.create(source);
  const { y } = await session.run({ x: new Tensor('float32', new Float32Array(width).fill(1), [1, width]) });
  const seconds = (performance.now() - started) / 1000;
  return { seconds, linearMemory: session.memoryPlan.linearMemory / 2 ** 20, last: y.data.at(-1) };
};
