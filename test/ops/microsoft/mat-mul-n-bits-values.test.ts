import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { choicesOf } from '../../fuzz/graphs/choices.js';
import { MODES, type Mode, openIn } from '../../fuzz/graphs/modes.js';
import { seriesByTier } from '../../tier.js';

/** MatMulNBits of rows with outliers, infinities, NaN and numbers close to nothing, against a loop in float64. */
const test = suite('MatMulNBits of odd activations');
const CASES = seriesByTier({ quick: 150, ci: 280, all: 100_000 });
const SEED = Number(process.env.SEED ?? 20);
const ON_RELAXED = MODES.find(({ name }) => name === 'all on relaxed, watched');
const WAYS: readonly Mode[] = [{ name: 'simd', options: {} }, ...(ON_RELAXED ? [ON_RELAXED] : [])];

const { POSITIVE_INFINITY: INFINITE, NaN: NONE } = Number;
const ODD = [1e4, -1e4, 1e30, -1e30, 3e38, 1e-36, 1e-44, INFINITE, -INFINITE, NONE];

function caseOf(seed: number) {
  const g = choicesOf(seed);
  const [bits, block] = [g.pick([2, 4, 4, 8]), g.pick([16, 32, 32, 128])];
  const [m, k, n, level] = [g.pick([1, 1, 4, 5, 9]), g.pick([16, 32, 75, 96, 256]), g.pick([1, 8, 13]), g.below(5)];
  const blocks = Math.ceil(k / block);
  const size = g.pick([0.1, 1, 1e-36, 1e-20]);
  const a = Float32Array.from({ length: m * k }, () => size * (2 * g.next() - 1));
  for (let i = g.below(4); i > 0; i--) a[g.below(a.length)] = g.pick(ODD);
  if (g.chance(0.2)) for (let i = g.below(8); i > 0; i--) a[g.below(a.length)] = g.pick([1e4, 9e3, -1e4]);
  const half = 2 ** (bits - 1);
  const codes = Uint8Array.from({ length: n * blocks * block }, () => (g.chance(0.2) ? half : g.below(2 ** bits)));
  const scales = Float32Array.from({ length: n * blocks }, () => 0.01 + 0.01 * g.next());
  const zeros = g.chance(0.3) ? Float32Array.from({ length: n * blocks }, () => half + g.below(3) - 1) : undefined;
  // Outliers meet weights of 0.
  for (const [i, x] of a.entries())
    if (!(Math.abs(x) <= 1) && g.chance(0.8)) {
      for (let column = 0; column < n; column++) codes[column * blocks * block + (i % k)] = zeros ? 0 : half;
    }
  return { m, k, n, bits, block, level, blocks, a, codes, scales, zeros };
}

function packed({ bits, codes }: ReturnType<typeof caseOf>): Uint8Array {
  const perByte = 8 / bits;
  return Uint8Array.from({ length: codes.length / perByte }, (_, i) => {
    let byte = 0;
    for (let j = 0; j < perByte; j++) byte |= (codes[i * perByte + j] as number) << (j * bits);
    return byte;
  });
}

function modelOf(c: ReturnType<typeof caseOf>): Uint8Array {
  const { m, k, n, bits, block, level, blocks, scales, zeros } = c;
  const b = modelBuilder({ opset: 17, opsets: { 'com.microsoft': 1 } });
  const inputs = [
    b.input('a', 'float32', [m, k]),
    b.constant('b', tensor('uint8', [n, blocks, (block * bits) / 8], packed(c))),
    b.constant('s', tensor('float32', [n, blocks], scales)),
    ...(zeros ? [b.constant('z', tensor('float32', [n, blocks], zeros))] : []),
  ];
  const attributes = { K: k, N: n, bits, block_size: block, accuracy_level: level };
  b.output('y', b.op('MatMulNBits', inputs, attributes, { domain: 'com.microsoft' }));
  return b.toBytes();
}

/** Whether 16 bits leave most of a block's elements less than a hundredth of themselves to lose: docs/language-models.md. */
const isServed = (values: readonly number[], largest: number): boolean => {
  const others = values.filter((x) => x !== 0);
  return others.filter((x) => x < largest / 512).length * 2 <= others.length;
};

/** How far a product by activations of that many steps may be off, relative to the largest of a block. */
const UNIT = 2 ** -24;

function faultIn(c: ReturnType<typeof caseOf>, y: ArrayLike<number>): string | undefined {
  const { m, k, n, bits, block, blocks, level, a, codes, scales, zeros } = c;
  for (let row = 0; row < m; row++)
    for (let column = 0; column < n; column++) {
      let [sum, slack, size] = [0, 2 ** -126, 0];
      for (let at = 0; at < k; at += Math.min(block, 16)) {
        const end = Math.min(at + Math.min(block, 16), k);
        const first = at - (at % Math.min(block, level === 4 ? 32 : 128));
        const peers = Array.from(
          a.subarray(row * k + first, row * k + Math.min(first + Math.min(block, level === 4 ? 32 : 128), k)),
          Math.abs,
        );
        const largest = Math.max(...peers);
        const words = isServed(peers, largest) ? 1 / (2 * 32639) : 0;
        const rounding = level === 0 ? words : level === 4 ? 1 / 254 : 0;
        const isRounded = largest >= 1e-30 && largest < INFINITE;
        for (let i = at; i < end; i++) {
          const of = column * blocks + Math.floor(i / block);
          const zero = zeros ? (zeros[of] as number) : 2 ** (bits - 1);
          const weight = ((codes[column * blocks * block + i] as number) - zero) * (scales[of] as number);
          const product = (a[row * k + i] as number) * weight;
          sum += product;
          if (Number.isFinite(product)) size += Math.abs(product);
          slack += Math.abs(weight) * (isRounded ? 1.001 * rounding * largest : 0) + 8 * UNIT * Math.abs(product);
        }
      }
      const actual = y[row * n + column] as number;
      const isNear = Number.isFinite(sum) ? Math.abs(actual - sum) <= slack * 2 : Object.is(actual, sum);
      if (!isNear && size < 1e38)
        return `[${row}, ${column}] is ${actual}, not ${sum} ± ${slack} (${m}×${k}×${n}, ${bits} bits by ${block}, level ${level})`;
    }
  return undefined;
}

for (const way of WAYS)
  test(`${CASES.length} of them on ${way.name}`, async () => {
    const found: string[] = [];
    for (const seed of CASES.map((place) => SEED + place)) {
      const c = caseOf(seed);
      const session = await openIn(way, modelOf(c));
      const { y } = await session.run({ a: tensor('float32', [c.m, c.k], c.a) });
      const fault = faultIn(c, (y as TensorValue).data as Float32Array);
      if (fault) found.push(`seed ${seed}: ${fault}`);
      await session.release();
    }
    assert.is(found.slice(0, 5).join('\n'), '', `${found.length} faults`);
  });

test.run();
