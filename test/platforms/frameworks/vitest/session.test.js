import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { InferenceSession, SardonyxError, Tensor } from 'sardonyx';
import { modelBuilder } from 'sardonyx/builder';
import { createPool } from 'sardonyx/pool';
import { InferenceSession as WorkerSession } from 'sardonyx/worker';
import { expect, test } from 'vitest';

const model = pathToFileURL('public/model.onnx');
const { input, output } = JSON.parse(readFileSync('public/model.json', 'utf8'));
const feeds = () => ({ [input.name]: new Tensor('float32', Float32Array.from(input.data), input.dims) });

const WAYS = {
  'a URL': () => InferenceSession.create(model),
  bytes: () => InferenceSession.create(new Uint8Array(readFileSync(model))),
  'a worker': () => WorkerSession.create(model),
  'a pool': () => createPool(model, { size: 2 }),
};

for (const [name, create] of Object.entries(WAYS))
  test(name, async () => {
    const session = await create();
    const results = await session.run(feeds());
    output.data.forEach((expected, i) => {
      expect(results[output.name].data[i]).toBeCloseTo(expected, 5);
    });
    await session.release();
  });

test('two threads', async () => {
  const session = await InferenceSession.create(model, { intraOpNumThreads: 2 });
  while (session.threads < 2) await new Promise((next) => setTimeout(next, 5));
  await session.run(feeds());
  await session.release();
});

test('arrays compare, errors are the package’s', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Relu', [b.input('x', 'float32', [2])]));
  const session = await InferenceSession.create(b.toBytes());
  const { y } = await session.run({ x: new Tensor('float32', [-1, 2]) });
  expect(y.data).toEqual(Float32Array.of(0, 2));
  await expect(session.run({})).rejects.toThrow('not fed');
  await expect(session.run({})).rejects.toBeInstanceOf(SardonyxError);
  await session.release();
});
