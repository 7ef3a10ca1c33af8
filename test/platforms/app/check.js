/** Runs the example on whatever `api` is, and says how far off the outputs are, and how many threads have joined. */
export async function check({ InferenceSession, Tensor, env }, model, example, threads, options) {
  if (threads) env.wasm.numThreads = threads;
  const session = await InferenceSession.create(model, options);
  const { input, output } = example;
  const feeds = { [input.name]: new Tensor('float32', Float32Array.from(input.data), input.dims) };
  const deadline = Date.now() + 10_000;
  while (threads > 1 && (await session.threads) < threads && Date.now() < deadline)
    await new Promise((next) => setTimeout(next, 5));
  const { [output.name]: found } = await session.run(feeds);
  const errors = output.data.map((expected, i) => Math.abs(found.data[i] - expected));
  const outcome = { error: Math.max(...errors), count: found.data.length, threads: await session.threads };
  await session.release();
  return outcome;
}

/** A pool under the interface of a session. */
export const pooled = ({ createPool, Tensor, env }) => ({
  InferenceSession: { create: (model) => createPool(model, { size: 2 }) },
  Tensor,
  env,
});
