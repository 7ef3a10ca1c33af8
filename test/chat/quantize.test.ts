import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { draw } from '../contrib/case.js';
import { example } from './example.js';

const test = suite('weights in 4 bits of examples/chat');
const { quantize, dequantized } = await example('training/quantize.mjs');

const [ROWS, COLUMNS] = [6, 96];
const random = draw(32);
const weights = Float32Array.from({ length: ROWS * COLUMNS }, () => random.normal() / 20);

const squaredError = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a, (x, i) => (x - (b[i] as number)) ** 2).reduce((sum, x) => sum + x, 0);

/** The largest weight of a block at 7, as is commonly done. */
function plain(block: Float32Array): number[] {
  const scale = Math.max(...block.map(Math.abs)) / 7;
  return Array.from(block, (w) => Math.round(w / scale) * scale);
}

test('are nearer than with the scale of the largest weight, in every block', () => {
  const blocks = quantize({ dims: [ROWS, COLUMNS], data: weights });
  assert.equal(blocks.dims, [ROWS, COLUMNS / 32, 16]);
  const kept = dequantized(blocks);
  for (let i = 0; i < weights.length; i += 32) {
    const block = weights.subarray(i, i + 32);
    const ours = squaredError(block, kept.subarray(i, i + 32));
    assert.ok(ours < squaredError(block, plain(block)), `block ${i / 32}`);
  }
});

test('are exact where they are multiples of a scale, the even ones in the low halves', () => {
  const levels = Array.from({ length: 32 }, (_, i) => (i % 16) - 8);
  const data = Float32Array.from(levels, (level) => level / 4);
  const blocks = quantize({ dims: [1, 32], data });
  assert.equal([...dequantized(blocks)], [...data]);
  assert.is(Math.abs(blocks.scales[0] as number), 0.25);
  const sign = Math.sign(blocks.scales[0] as number);
  const halves = [...blocks.bytes].flatMap((byte) => [byte & 15, byte >> 4]);
  assert.equal(
    halves.map((half) => sign * (half - 8)),
    levels,
  );
});

test('may all be 0', () => {
  const blocks = quantize({ dims: [1, 32], data: new Float32Array(32) });
  assert.equal([...dequantized(blocks)], new Array(32).fill(0));
});

test('must come in rows of whole blocks', () => {
  assert.throws(() => quantize({ dims: [2, 48], data: new Float32Array(96) }), /multiple of 32/);
});

test.run();
