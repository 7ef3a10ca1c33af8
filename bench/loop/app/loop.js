/** Twenty runs one after another, as users time a model; `turn` is an optional function to call after each. */
export async function loop({ InferenceSession, Tensor }, model, threads, turn) {
  const began = performance.now();
  const session = await InferenceSession.create(model, { intraOpNumThreads: threads });
  const created = performance.now();
  const [{ name, shape }] = session.inputMetadata;
  const dims = shape.map((dim) => (typeof dim === 'number' ? dim : 1));
  const length = dims.reduce((product, dim) => product * dim, 1);
  const data = Float32Array.from({ length }, (_, i) => Math.sin(i));
  const feeds = { [name]: new Tensor('float32', data, dims) };
  const runs = [];
  for (let run = 0; run < 20; run++) {
    const started = performance.now();
    await session.run(feeds);
    runs.push(performance.now() - started);
    if (turn) await turn();
  }
  return { create: created - began, runs, threads: session.threads };
}
