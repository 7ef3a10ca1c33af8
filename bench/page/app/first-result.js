import { fetchExample } from './example.js';

/** Milliseconds from navigation to the first outputs of the digits model, and their distance from the stored outputs. */
export async function firstResult({ InferenceSession, Tensor, env }) {
  env.wasm.numThreads = 1;
  const [session, { input, output }] = await Promise.all([InferenceSession.create('/model.onnx'), fetchExample()]);
  const results = await session.run({ [input.name]: new Tensor('float32', Float32Array.from(input.data), input.dims) });
  const milliseconds = performance.now();
  const { data } = results[output.name];
  return { milliseconds, error: Math.max(...output.data.map((expected, i) => Math.abs(data[i] - expected))) };
}
