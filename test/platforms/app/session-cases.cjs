// What a newcomer's tests of sessions look like, for test runners: each gives its own `test` and `expect`, and the package as it loads it.
const { readFileSync } = require('node:fs');

/** `model` is where public/model.onnx is, as the runner's environment resolves it. */
exports.sessionCases = ({ test, expect, api, builder, pool, worker, model }) => {
  const { InferenceSession, SardonyxError, Tensor } = api;
  const { input, output } = JSON.parse(readFileSync('public/model.json', 'utf8'));
  const feeds = () => ({ [input.name]: new Tensor('float32', Float32Array.from(input.data), input.dims) });

  const WAYS = {
    'its place': () => InferenceSession.create(model),
    bytes: () => InferenceSession.create(new Uint8Array(readFileSync(model))),
    'a worker': () => worker.InferenceSession.create(model),
    'a pool': () => pool.createPool(model, { size: 2 }),
  };

  for (const [name, create] of Object.entries(WAYS))
    test(name, async () => {
      const session = await create();
      const results = await session.run(feeds());
      expect(results[output.name].data).toHaveLength(output.data.length);
      output.data.forEach((expected, i) => {
        expect(results[output.name].data[i]).toBeCloseTo(expected, 5);
      });
      await session.release();
    });

  test('two threads join a plain loop', async () => {
    const session = await InferenceSession.create(model, { intraOpNumThreads: 2 });
    for (let i = 0; i < 3; i++) await session.run(feeds());
    expect(session.threads).toBe(2);
    await session.release();
  });

  test('arrays compare, errors are the package’s', async () => {
    const b = builder.modelBuilder({ opset: 21 });
    b.output('y', b.op('Relu', [b.input('x', 'float32', [2])]));
    const session = await InferenceSession.create(b.toBytes());
    const { y } = await session.run({ x: new Tensor('float32', [-1, 2]) });
    expect(y.data).toEqual(Float32Array.of(0, 2));
    await expect(session.run({})).rejects.toThrow('not fed');
    await expect(session.run({})).rejects.toBeInstanceOf(SardonyxError);
    await session.release();
  });
};
