import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HostValue, TensorValue, TypedArray } from '../../src/index.js';
import { bytesToCopy, packInPieces } from '../../src/remote/worker/pack-in-pieces.js';
import type { Passage } from '../../workers/pack.js';
import { inEveryTurn } from './turns.js';

const test = suite('values packed in pieces');
const ODD = 5 * 2 ** 20 + 3;

async function packed(value: HostValue, passage: Passage = 'copy') {
  const buffers = new Set<Transferable>();
  let turns = 0;
  const { x } = await inEveryTurn(packInPieces({ x: value }, buffers, passage), (now) => {
    turns = now;
  });
  return { x: x as TensorValue, buffers: [...buffers], turns };
}

const numbers = (length: number) => Uint8Array.from({ length }, (_, i) => i % 251);

test('take a turn for each piece, whatever their size, their array and its place in the buffer', async () => {
  const bytes = numbers(8 * 2 ** 20 + 8);
  const arrays: [TensorValue['type'], TypedArray][] = [
    ['uint8', bytes.subarray(5, 5 + ODD)],
    ['uint8', Buffer.from(bytes.buffer, 3, ODD)],
    ['bool', numbers(ODD)],
    ['int16', new Int16Array(bytes.buffer, 2, (ODD - 1) / 2)],
    ['int64', new BigInt64Array(bytes.buffer, 8)],
    ['float64', new Float64Array(bytes.buffer)],
    ['uint8', new Uint8Array(new SharedArrayBuffer(ODD)).fill(3)],
  ];
  for (const [type, data] of arrays) {
    const { x, buffers, turns } = await packed({ type, dims: [data.length], data });
    const copy = x.data as typeof data;
    assert.ok(turns >= data.byteLength / 2 ** 22, `${turns} turns`);
    assert.is(Object.prototype.toString.call(copy), Object.prototype.toString.call(data));
    assert.equal(buffers, [copy.buffer]);
    assert.is(copy.buffer.byteLength, data.byteLength);
    assert.ok(copy.every((value, i) => value === data[i]));
    assert.ok(data.length > 0);
  }
});

test('many small arrays share turns; strings and what is no tensor are as they were', async () => {
  const tensors = Array.from(
    { length: 600 },
    () => ({ type: 'uint8', dims: [10_000], data: numbers(10_000) }) as const,
  );
  const words = { type: 'string', dims: [1], data: ['a'] } as const;
  const { x, turns } = await packed([...tensors, words, null]);
  const list = x as unknown as readonly HostValue[];
  assert.ok(turns >= 2 && turns < 600, `${turns} turns`);
  assert.equal(list, [...tensors, words, null]);
});

test('what is handed over whole is not copied', async () => {
  const data = numbers(ODD);
  const whole = { type: 'uint8', dims: [ODD], data } as const;
  const part = { type: 'uint8', dims: [ODD - 1], data: data.subarray(1) } as const;
  assert.is((await packed(whole, 'transfer')).x.data, data);
  assert.is.not((await packed(part, 'transfer')).x.data, data);
  assert.equal(
    [whole, part, [part, part], null].map((x) => [bytesToCopy({ x }, 'copy'), bytesToCopy({ x }, 'transfer')]),
    [
      [ODD, 0],
      [ODD - 1, ODD - 1],
      [2 * ODD - 2, 2 * ODD - 2],
      [0, 0],
    ],
  );
});

test.run();
