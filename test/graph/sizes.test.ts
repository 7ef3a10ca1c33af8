import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as s from '../../src/graph/sizes.js';
import { type Random, randomOf } from '../primitives/draw.js';

const test = suite('sizes');

const [height, width, batch] = ['height', 'width', 'batch'].map(s.symbol) as [s.Size, s.Size, s.Size];

test('are written as people write them', () => {
  const written: [s.Size, string][] = [
    [s.add(height, 1), 'height+1'],
    [s.subtract(3, height), '3-height'],
    [s.multiply(s.add(height, 1), 64), '(height+1)*64'],
    [s.product([4, width, batch]), '4*batch*width'],
    [s.ceilDivide(height, 2), '⌈height/2⌉'],
    [s.floorDivide(height, 4), '⌊height/4⌋'],
    [s.floorDivide(s.add(height, width), 3), '⌊(height+width)/3⌋'],
    [s.minimum(height, 7), 'min(height,7)'],
    [s.derived('scaled', [height], (n) => n), 'scaled(height)'],
    [s.multiply(s.add(height, width), batch), '(height+width)*batch'],
    [s.multiply(s.symbol('past sequence'), 2), '2*(past sequence)'],
  ];
  for (const [size, text] of written) assert.is(s.formatSize(size), text);
});

test('are equal however they are written', () => {
  const equal: [s.Size, s.Size][] = [
    [s.add(height, width), s.add(width, height)],
    [s.subtract(s.add(height, width), width), height],
    [s.multiply(s.add(height, 1), 2), s.add(height, height, 2)],
    [s.floorDivide(s.multiply(height, width), width), height],
    [s.floorDivide(s.multiply(height, 6), 4), s.add(height, s.floorDivide(height, 2))],
    // A convolution of 3 with stride 2 and a padding of 1, twice.
    [s.add(s.floorDivide(s.subtract(height, 1), 2), 1), s.ceilDivide(height, 2)],
    [s.ceilDivide(s.ceilDivide(height, 2), 2), s.ceilDivide(height, 4)],
    [s.modulo(s.multiply(height, 4), 4), 0],
    [s.maximum(height, 0), height],
  ];
  for (const [a, b] of equal) assert.ok(a === b, `${s.formatSize(a)} against ${s.formatSize(b)}`);
});

test('refuse to be taken for numbers', () => {
  assert.throws(() => Number(height), /the size height is not a number/);
  assert.throws(() => (height as number) * 2, /not a number/);
  assert.throws(() => (height as number) < 2, /not a number/);
});

test('take other sizes in place of symbols', () => {
  const size = s.ceilDivide(s.add(height, width), 2);
  assert.is(
    s.substitute(size, () => 5),
    5,
  );
  const narrow = s.substitute(size, (name) => (name === 'width' ? 1 : undefined));
  assert.is(s.formatSize(narrow), '⌊height/2⌋+1');
  assert.equal(s.symbolsIn(size), ['height', 'width']);
});

// Each step would double a polynomial, a text or a walk.
test('stay small where a model computes with one size again and again', () => {
  const steps: ((size: s.Size) => s.Size)[] = [
    (size) => s.multiply(size, size),
    (size) => s.multiply(s.add(size, width), s.add(size, batch)),
    (size) => s.minimum(s.add(size, width), s.multiply(size, 2)),
    (size) => s.floorDivide(s.add(size, s.multiply(size, width)), 3),
    (size) => s.add(size, ...Array.from({ length: 100 }, (_, i) => s.symbol(`part${i}`))),
  ];
  for (const [i, step] of steps.entries()) {
    let [size, other]: [s.Size, s.Size] = [height, height];
    for (let n = 0; n < 60; n++) [size, other] = [step(size), step(other)];
    assert.ok(size === other, `step ${i}`);
    assert.ok(s.formatSize(size).length < 10_000, `step ${i}: ${s.formatSize(size).length} characters`);
    assert.ok(s.symbolsIn(size).includes('height'));
    assert.is(
      s.substitute(size, () => 0),
      0,
      `step ${i}`,
    );
  }
});

/** A size and the function that computes it of the symbols' values. */
interface Pair {
  readonly size: s.Size;
  readonly of: (values: Values) => bigint;
}
type Values = Readonly<Record<string, bigint>>;

const floored = (a: bigint, b: bigint): bigint => (a % b !== 0n && a < 0n !== b < 0n ? a / b - 1n : a / b);

function randomPair(random: Random, depth: number): Pair {
  if (depth === 0 || random.below(7) === 0) {
    const number = random.below(9) - 2;
    const name = ['height', 'width', 'batch'][random.below(3)] as string;
    return random.below(5) < 2
      ? { size: number, of: () => BigInt(number) }
      : { size: s.symbol(name), of: (values) => values[name] as bigint };
  }
  const [a, b] = [randomPair(random, depth - 1), randomPair(random, depth - 1)];
  const by = random.below(7) + 1;
  const both = (f: (x: s.Size, y: s.Size) => s.Size, g: (x: bigint, y: bigint) => bigint): Pair => ({
    size: f(a.size, b.size),
    of: (values) => g(a.of(values), b.of(values)),
  });
  switch (random.below(8)) {
    case 0:
      return both(s.subtract, (x, y) => x - y);
    case 1:
      return depth > 2 ? both(s.add, (x, y) => x + y) : both(s.multiply, (x, y) => x * y);
    case 2:
      return { size: s.floorDivide(a.size, by), of: (values) => floored(a.of(values), BigInt(by)) };
    case 3:
      return { size: s.ceilDivide(a.size, by), of: (values) => -floored(-a.of(values), BigInt(by)) };
    case 4:
      return both(s.minimum, (x, y) => (x < y ? x : y));
    case 5:
      return both(s.maximum, (x, y) => (x > y ? x : y));
    case 6: {
      const product = s.multiply(a.size, s.add(s.symbol('batch'), by));
      return {
        size: s.floorDivide(product, s.add(s.symbol('batch'), by)),
        of: a.of,
      };
    }
    default:
      return both(s.add, (x, y) => x + y);
  }
}

// Sums, products, quotients, minima and maxima of random sizes, against BigInt.
test('random expressions have the values of their definition, and keep their bounds', () => {
  const random = randomOf(31);
  let equal = 0;
  for (let i = 0; i < 3000; i++) {
    const { size, of } = randomPair(random, 4);
    const other = randomPair(random, 3);
    for (let j = 0; j < 12; j++) {
      const values = Object.fromEntries(
        ['height', 'width', 'batch'].map((name) => [name, BigInt(random.below(j < 3 ? 3 : 90))]),
      );
      const value = s.substitute(size, (name) => Number(values[name]));
      const text = `${s.formatSize(size)} at ${JSON.stringify(values, (_, x) => (typeof x === 'bigint' ? Number(x) : x))}`;
      assert.is(value, Number(of(values)), text);
      assert.ok(s.lowerBound(size) <= (value as number), `${text}: at least ${s.lowerBound(size)}`);
      if (size === other.size) {
        equal++;
        assert.is(of(values), other.of(values), text);
      }
      if (s.isNeverAbove(size, other.size)) assert.ok(of(values) <= other.of(values), text);
    }
  }
  assert.ok(equal > 100, `${equal} were equal`);
});

test.run();
