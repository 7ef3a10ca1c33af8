import { createContext, runInContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, Tensor } from '../../src/index.js';
import * as onnxruntime from '../../src/onnxruntime/index.js';
import * as worker from '../../src/remote/worker/index.js';

const test = suite('values made in another realm');

/** What another frame, or a test that Jest runs, makes: arrays whose constructors are not ours. */
const other = createContext();
const made = <T>(expression: string) => runInContext(expression, other) as T;

const numbers = made<Float32Array>('Float32Array.of(1, -2, 3)');

function relu(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Relu', [b.input('x', 'float32', [3])]));
  return b.toBytes();
}

/** The model's bytes in an array of the other realm. */
function foreign(bytes: Uint8Array): Uint8Array {
  const copy = made<(length: number) => Uint8Array>('(length) => new Uint8Array(length)')(bytes.length);
  copy.set(bytes);
  return copy;
}

test('they are what `instanceof` denies', () => {
  assert.not(numbers instanceof Float32Array);
});

test('arrays in tensors', () => {
  assert.is(new Tensor('float32', numbers).data, numbers);
  assert.is(new Tensor(made<BigInt64Array>('BigInt64Array.of(1n)')).type, 'int64');
  assert.is(new Tensor(made<Uint8ClampedArray>('Uint8ClampedArray.of(1)')).type, 'uint8');
  assert.throws(
    () => new Tensor('float32', made<Float32Array>('Float64Array.of(1)')),
    /needs Float32Array or a list; got Float64Array/,
  );
});

test('models, feeds and fetches of sessions', async () => {
  const model = foreign(relu());
  for (const source of [model, model.buffer as ArrayBuffer]) {
    const session = await InferenceSession.create(source);
    const y = made<Float32Array>('new Float32Array(3)');
    await session.run({ x: { type: 'float32', dims: [3], data: numbers } }, { y: new Tensor('float32', y, [3]) });
    assert.equal(Array.from(y), [1, 0, 3]);
    await session.release();
  }
});

test('sessions in workers', async () => {
  const session = await worker.InferenceSession.create(foreign(relu()));
  const { y } = await session.run({ x: new Tensor('float32', numbers) });
  assert.equal(Array.from((y as Tensor).data as Float32Array), [1, 0, 3]);
  await session.release();
});

test('sessions under the names of onnxruntime-web', async () => {
  const session = await onnxruntime.InferenceSession.create(foreign(relu()));
  const { y } = await session.run({ x: new onnxruntime.Tensor('float32', numbers, [3]) });
  assert.equal(Array.from(y?.data as Float32Array), [1, 0, 3]);
  await session.release();
});

test.run();
