import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { portableSource } from '../../src/remote/worker/portable.js';

const test = suite("a model's bytes on their way to a worker");
const MEBIBYTE = 2 ** 20;

test('are copied a piece at a time, other things having their turn', async () => {
  const model = Uint8Array.from({ length: 13 * MEBIBYTE + 5 }, (_, i) => i % 251);
  let [turns, isOver] = [0, false];
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const buffers = new Set<Transferable>();
  const copy = (await portableSource(model, buffers, 'copy')) as Uint8Array;
  isOver = true;
  assert.ok(turns >= 3, `${turns} turns`);
  assert.is(Buffer.compare(copy, model), 0);
  assert.is.not(copy.buffer, model.buffer);
  assert.equal([...buffers], [copy.buffer]);
});

test('go themselves when they are handed over, and are shared where their memory is', async () => {
  const buffers = new Set<Transferable>();
  const model = new Uint8Array(8);
  assert.is(await portableSource(model, buffers, 'transfer'), model);
  assert.is(buffers.size, 1);
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  assert.is(await portableSource(shared, buffers, 'copy'), shared);
  assert.is(buffers.size, 1);
});

test.run();
