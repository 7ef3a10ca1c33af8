import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GridMode, GridPadding } from '../../build/quantized-kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

interface Case {
  batch?: number;
  input: readonly number[];
  points: number;
  channels: number;
  mode: keyof typeof GridMode;
  padding?: keyof typeof GridPadding;
  alignCorners?: boolean;
}

const cases: Record<string, Case> = {
  'bilinear, 18 channels': { batch: 2, input: [7, 9], points: 131, channels: 18, mode: 'Linear' },
  'bilinear, 3 channels, corners': { input: [5, 6], points: 67, channels: 3, mode: 'Linear', alignCorners: true },
  'bilinear, border': { input: [5, 6], points: 70, channels: 4, mode: 'Linear', padding: 'Border' },
  'bilinear, reflection': { input: [4, 6], points: 90, channels: 2, mode: 'Linear', padding: 'Reflection' },
  'one pixel': { input: [1, 1], points: 9, channels: 5, mode: 'Linear', padding: 'Reflection', alignCorners: true },
  nearest: { batch: 2, input: [6, 5], points: 77, channels: 7, mode: 'Nearest' },
  'nearest, reflection': { input: [6, 5], points: 50, channels: 1, mode: 'Nearest', padding: 'Reflection' },
  cubic: { input: [8, 7], points: 66, channels: 21, mode: 'Cubic' },
  'cubic, reflection, corners': {
    input: [8, 7],
    points: 66,
    channels: 3,
    mode: 'Cubic',
    padding: 'Reflection',
    alignCorners: true,
  },
  'a line': { input: [11], points: 40, channels: 6, mode: 'Linear', padding: 'Border' },
  'a volume': { batch: 2, input: [4, 5, 3], points: 35, channels: 17, mode: 'Linear' },
  'a volume, cubic, border': { input: [4, 5, 6], points: 20, channels: 2, mode: 'Cubic', padding: 'Border' },
};

/** Keys' kernel with a = −0.75 as it is usually printed. */
function keys(t: number): number {
  const [a, d] = [-0.75, Math.abs(t)];
  if (d <= 1) return (a + 2) * d ** 3 - (a + 3) * d ** 2 + 1;
  return d < 2 ? a * d ** 3 - 5 * a * d ** 2 + 8 * a * d - 4 * a : 0;
}

/** Walks back and forth between the ends until inside. */
function mirror(x: number, low: number, high: number): number {
  if (high === low) return low;
  let y = x;
  while (y < low || y > high) y = y < low ? 2 * low - y : 2 * high - y;
  return y;
}

/** Sum over all taps along the axes from `axis` on. */
function sample(c: Case, at: (index: number[]) => number, place: readonly number[], index: number[] = []): number {
  const axis = index.length;
  if (axis === c.input.length) return at(index);
  const size = c.input[axis] as number;
  const margin = c.alignCorners ? 0 : 0.5;
  const bring = (v: number) => {
    const isOutside = v < -margin || v > size - 1 + margin;
    if (c.padding === 'Border') return isOutside ? Math.min(Math.max(v, 0), size - 1) : v;
    return c.padding === 'Reflection' ? mirror(v, -margin, size - 1 + margin) : v;
  };
  const g = place[c.input.length - 1 - axis] as number;
  const exact = c.alignCorners ? ((g + 1) / 2) * (size - 1) : ((g + 1) * size - 1) / 2;
  const x = c.mode === 'Cubic' ? exact : bring(c.mode === 'Nearest' ? Math.round(exact) : exact);
  const base = Math.floor(x);
  let sum = 0;
  for (let i = base - 1; i <= base + 2; i++) {
    const distance = x - i;
    const weights = {
      Nearest: Number(i === Math.round(x)),
      Linear: Math.max(0, 1 - Math.abs(distance)),
      Cubic: keys(distance),
    };
    const pixel = Math.trunc(bring(i));
    if (weights[c.mode] === 0 || pixel < 0 || pixel >= size) continue;
    sum += weights[c.mode] * sample(c, at, place, [...index, pixel]);
  }
  return sum;
}

for (const variant of variants) {
  const test = suite(`grid sample (${variant})`);
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { batch = 1, input, points, channels } = c;
      const rank = input.length;
      const [depth, height, width] = [1, 1, ...input].slice(-3) as [number, number, number];
      const volume = depth * height * width;
      const x = randomFloats(batch * volume * channels, 1);
      const grid = randomFloats(batch * points * rank, 2).map((v) => 1.3 * v);
      const expected = Float64Array.from({ length: batch * points * channels }, (_, i) => {
        const point = Math.floor(i / channels);
        const image = Math.floor(point / points);
        const pixel = (index: number[]) => index.reduce((sum, at, axis) => sum * (input[axis] as number) + at, 0);
        const at = (index: number[]) => x[(image * volume + pixel(index)) * channels + (i % channels)] as number;
        return sample(c, at, [...grid.subarray(point * rank, (point + 1) * rank)]);
      });

      const engine = freshEngine(variant);
      const y = placeGuarded(engine, new Float32Array(expected.length));
      const tilePoints = 13;
      const params = {
        x: placeGuarded(engine, x),
        grid: placeGuarded(engine, grid),
        y,
        batch,
        depth,
        height,
        width,
        channels,
        rank,
        points,
        mode: GridMode[c.mode],
        padding: GridPadding[c.padding ?? 'Zeros'],
        alignCorners: Number(c.alignCorners ?? false),
        tilePoints,
      };
      const tiles = Math.ceil((batch * points) / tilePoints);
      engine.launch('gridSample', params, tiles);
      const actual = engine.f32.slice(y / 4, y / 4 + expected.length);
      // Coordinates of some 10 pixels in single precision.
      const error = relativeL2(actual, expected);
      assert.ok(error < 2e-6, `relative L2 ${error}`);
      runInSplits(engine, 'gridSample', params, tiles, { address: y, bytes: expected.length * 4 });
      assert.ok(guardsIntact(engine, y, expected.length * 4));
    });
  }
  test('places that are no numbers, or far away, read nothing of the zeros outside', () => {
    const engine = freshEngine(variant);
    const x = placeGuarded(engine, new Float32Array(4 * 2).fill(1));
    const grid = placeGuarded(engine, Float32Array.of(NaN, 0, 1e30, 0, 0, -Infinity, 0, 0));
    const y = placeGuarded(engine, new Float32Array(4 * 2));
    const shape = { batch: 1, depth: 1, height: 2, width: 2, channels: 2, rank: 2, points: 4, tilePoints: 4 };
    const how = { mode: GridMode.Linear, padding: GridPadding.Zeros, alignCorners: 0 };
    engine.launch('gridSample', { x, grid, y, ...shape, ...how }, 1);
    assert.equal([...engine.f32.slice(y / 4, y / 4 + 8)], [0, 0, 0, 0, 0, 0, 1, 1]);
  });
  test.run();
}
