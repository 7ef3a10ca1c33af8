/** Runs the example on whatever `api` is, and says how far off the outputs are, and how many threads have joined. */
export async function check({ InferenceSession, Tensor, env }, model, example, threads) {
  if (threads) env.wasm.numThreads = threads;
  const session = await InferenceSession.create(model);
  const { input, output } = example;
  const feeds = { [input.name]: new Tensor('float32', Float32Array.from(input.data), input.dims) };
  const deadline = Date.now() + 10_000;
  while (threads > 1 && session.threads < threads && Date.now() < deadline)
    await new Promise((next) => setTimeout(next, 5));
  const { [output.name]: found } = await session.run(feeds);
  const errors = output.data.map((expected, i) => Math.abs(found.data[i] - expected));
  const outcome = { error: Math.max(...errors), count: found.data.length, threads: session.threads };
  await session.release();
  return outcome;
}
