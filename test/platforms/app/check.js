const RUNS = 20;

/** Runs the example on whatever `api` is, in a plain loop; says how far off the outputs are, and how many threads worked in the end. */
export async function check({ InferenceSession, Tensor, env }, model, example, threads, options) {
  if (threads) env.wasm.numThreads = threads;
  const session = await InferenceSession.create(model, options);
  const { input, output } = example;
  const feeds = { [input.name]: new Tensor('float32', Float32Array.from(input.data), input.dims) };
  let found;
  for (let run = 0; run < RUNS; run++) found = (await session.run(feeds))[output.name];
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
