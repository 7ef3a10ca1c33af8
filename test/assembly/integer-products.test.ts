import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '../../bindings/engine.js';
import { IntegerDots, IntegerResult, IntegerTile } from '../../build/quantized-kernels.js';
import { integerDots } from '../../src/backends/wasm/lower/integer-dots.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits, variants } from './kernels.js';

interface Operand {
  readonly signed: boolean;
  readonly values: Int32Array;
}

/** All of a type's values, its extremes more often. */
function operand(count: number, signed: boolean, seed: number): Operand {
  const least = signed ? -128 : 0;
  const values = Int32Array.from(randomFloats(count, seed), (x) =>
    Math.min(Math.max(Math.floor(160 * x + 128) + least, least), least + 255),
  );
  return { signed, values };
}

const bytesOf = ({ values }: Operand) => Uint8Array.from(values);

/** [matrices, M, K, N, signs of A and B, zero points of A, zero points of B, result] */
type Product = readonly [number, number, number, number, string, number, number, IntegerResult];
const [Integers, Floats, Narrow] = [IntegerResult.Integers, IntegerResult.Floats, IntegerResult.Narrow] as const;
const PRODUCTS: readonly Product[] = [
  [1, 1, 1, 1, 'us', 0, 0, Integers],
  [1, 5, 7, 9, 'us', 1, 0, Integers],
  [1, 1, 33, 75, 'ss', 1, 1, Integers],
  [1, 61, 31, 70, 'uu', 1, 1, Integers],
  [1, 67, 130, 129, 'su', 67, 129, Integers],
  [3, 13, 21, 17, 'us', 1, 17, Integers],
  [1, 6, 0, 5, 'us', 1, 1, Integers],
  [1, 3, 70000, 2, 'uu', 1, 2, Integers],
  [1, 7, 64, 40, 'us', 1, 40, Floats],
  [1, 62, 12, 65, 'ss', 0, 0, Floats],
  [1, 19, 48, 83, 'us', 1, 0, Narrow],
  [2, 8, 18, 16, 'ss', 1, 1, Narrow],
];

const kernelDots = (engine: Engine) => new Set([IntegerDots.Pairs, integerDots(engine)]);

function packed(engine: Engine, b: number, signed: boolean, dots: IntegerDots, sizes: readonly number[]): number {
  const [matrices, k, n] = sizes as [number, number, number];
  const group = dots === IntegerDots.Pairs ? 2 : 4;
  const panels = matrices * Math.ceil(n / IntegerTile.Panel);
  const bytes = panels * (IntegerTile.PanelHead + Math.ceil(k / group) * group * IntegerTile.Panel);
  const to = placeGuarded(engine, new Uint8Array(bytes));
  const strides = {
    taps: 1,
    channels: k,
    closed: 0,
    tapStride: 0,
    channelStride: n,
    columnStride: 1,
    matrixStride: k * n,
  };
  const params = { w: b, packed: to, columns: n, ...strides, group, flip: signed ? 0 : 128 };
  runInSplits(engine, 'packIntegers', params, panels, { address: to, bytes });
  assert.ok(guardsIntact(engine, to, bytes));
  return to;
}

const roundHalfEven = (x: number) => {
  const low = Math.floor(x);
  return x - low === 0.5 ? low + (Math.abs(low) % 2) : Math.round(x);
};

/** A sum in 32 bits as the result that is wanted. */
function finish(sum: bigint, result: IntegerResult, scale: number, bias: number, zero: number): number {
  if (result === Integers) return Number(BigInt.asIntN(32, sum + BigInt(bias)));
  if (result === Floats) return Math.fround(Math.fround(Math.fround(Number(sum)) * scale) + bias);
  const scaled = Math.fround(Math.fround(Number(sum) + bias) * scale);
  return Math.min(Math.max(roundHalfEven(scaled) + zero, -100), 127);
}

for (const variant of variants) {
  const test = suite(`integerMatMul (${variant})`);
  for (const [matrices, m, k, n, signs, aZeros, bZeros, result] of PRODUCTS) {
    test(`${matrices} × ${m}×${k}×${n} ${signs}, zero points ${aZeros} and ${bZeros}, result ${result}`, () => {
      const a = operand(matrices * m * k, signs[0] === 's', 1);
      const b = operand(matrices * k * n, signs[1] === 's', 2);
      const [aZero, bZero] = [operand(aZeros, a.signed, 3), operand(bZeros, b.signed, 4)];
      const scales = randomFloats(n, 5).map((x) => Math.abs(x) * 1e-3);
      const biases = result === Floats ? randomFloats(n, 6) : Int32Array.from(randomFloats(n, 6), (x) => 5000 * x);
      const expected: number[] = [];
      for (let i = 0; i < matrices * m; i++) {
        for (let j = 0; j < n; j++) {
          const matrix = Math.floor(i / m);
          const za = aZero.values[aZeros > 1 ? i % m : 0] ?? 0;
          const zb = bZero.values[bZeros > 1 ? j : 0] ?? 0;
          let sum = 0n;
          for (let l = 0; l < k; l++) {
            const x = (a.values[i * k + l] as number) - za;
            sum += BigInt(x * ((b.values[(matrix * k + l) * n + j] as number) - zb));
          }
          expected.push(finish(sum, result, scales[j] as number, biases[j] as number, -7));
        }
      }
      const engine = freshEngine(variant);
      const zeros = (zero: Operand) => (zero.values.length ? placeGuarded(engine, bytesOf(zero)) : 0);
      const own = {
        xZero: zeros(aZero),
        xZeroStep: Number(aZeros > 1),
        wZero: zeros(bZero),
        wZeroStep: Number(bZeros > 1),
      };
      const at = { a: placeGuarded(engine, bytesOf(a)), b: placeGuarded(engine, bytesOf(b)) };
      const finishing = {
        ...{ xSigned: Number(a.signed), wSigned: Number(b.signed), result, scaleStep: 1, ySigned: 1 },
        ...{ scale: placeGuarded(engine, scales), bias: placeGuarded(engine, biases) },
        ...{ yZero: placeGuarded(engine, Int8Array.of(-7)), low: result === Narrow ? -100 : -1e30, high: 1e30 },
      };
      const bytes = matrices * m * n * (result === Narrow ? 1 : 4);
      for (const dots of kernelDots(engine)) {
        const y = placeGuarded(engine, new Uint8Array(bytes));
        const w = packed(engine, at.b, b.signed, dots, [matrices, k, n]);
        const sizes = { dots, m, n, k, outer: matrices, inner: 1, aRowStride: k, yRowStride: n };
        const strides = { aOuterStride: m * k, aInnerStride: 0, bOuterStride: 1, bInnerStride: 0, yOuterStride: m * n };
        const params = { ...own, ...finishing, a: at.a, b: w, y, ...sizes, ...strides, yInnerStride: 0 };
        const tiles = matrices * Math.ceil(m / IntegerTile.Rows) * Math.ceil(n / IntegerTile.Columns);
        runInSplits(engine, 'integerMatMul', params, tiles, { address: y, bytes });
        assert.ok(guardsIntact(engine, y, bytes));
        const classes = { [Integers]: Int32Array, [Floats]: Float32Array, [Narrow]: Int8Array };
        const made = new classes[result](engine.memory.buffer, y, matrices * m * n);
        assert.equal([...made], expected);
      }
    });
  }
  test.run();
}

type Triple = readonly [number, number, number];

/** [batch, groups, channels and outputs of one], then sizes, kernel, strides, dilations, pads before and after. */
const CONVOLUTIONS: readonly (readonly [Sizes, readonly [Triple, Triple, Triple, Triple, Triple, Triple]])[] = [
  [
    sizes(1, 1, 3, 10),
    [
      [1, 9, 8],
      [1, 3, 3],
      [1, 2, 2],
      [1, 1, 1],
      [0, 1, 1],
      [0, 1, 1],
    ],
  ],
  [
    sizes(2, 1, 8, 70),
    [
      [1, 5, 7],
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
      [0, 0, 0],
      [0, 0, 0],
    ],
  ],
  [
    sizes(1, 3, 5, 4),
    [
      [1, 6, 6],
      [1, 3, 2],
      [1, 1, 1],
      [1, 1, 2],
      [0, 2, 1],
      [0, 0, 2],
    ],
  ],
  [
    sizes(1, 1, 4, 9),
    [
      [3, 4, 5],
      [2, 2, 3],
      [1, 2, 1],
      [2, 1, 1],
      [1, 0, 4],
      [1, 1, 4],
    ],
  ],
  [
    sizes(1, 2, 1, 1),
    [
      [1, 1, 12],
      [1, 1, 5],
      [1, 1, 3],
      [1, 1, 1],
      [0, 0, 2],
      [0, 0, 2],
    ],
  ],
];

function sizes(batch: number, groups: number, channels: number, outChannels: number): Sizes {
  return { batch, groups, channels, outChannels };
}

for (const variant of variants) {
  const test = suite(`integerConvolution (${variant})`);
  for (const [own, window] of CONVOLUTIONS) {
    for (const xSigned of [false, true]) {
      const signs = xSigned ? 'int8 by uint8' : 'uint8 by int8';
      test(`${own.groups} × ${own.channels}→${own.outChannels} of [${window[0]}] by [${window[1]}], ${signs}`, () =>
        convolve(variant, own, window, xSigned));
    }
  }
  test.run();
}

interface Sizes {
  readonly batch: number;
  readonly groups: number;
  readonly channels: number;
  readonly outChannels: number;
}

function convolve(
  variant: (typeof variants)[number],
  { batch, groups, channels, outChannels }: Sizes,
  [size, kernel, stride, dilation, before, after]: readonly [Triple, Triple, Triple, Triple, Triple, Triple],
  xSigned: boolean,
): void {
  const wSigned = !xSigned;
  const reach = kernel.map((d, i) => ((d as number) - 1) * (dilation[i] as number) + 1);
  const out = size.map((d, i) =>
    Math.floor((d + (before[i] as number) + (after[i] as number) - (reach[i] as number)) / (stride[i] as number) + 1),
  );
  const product = (list: readonly number[]) => list.reduce((n, d) => n * d, 1);
  const [taps, pixels, inC, outC] = [product(kernel), product(out), groups * channels, groups * outChannels];
  const x = operand(batch * product(size) * inC, xSigned, 1);
  const w = operand(outC * channels * taps, wSigned, 2);
  const xZero = xSigned ? -3 : 130;
  const wZeros = operand(outC, wSigned, 3);
  const position = (index: number, dims: readonly number[]) => {
    const [, height, width] = dims as [number, number, number];
    return [Math.floor(index / width / height), Math.floor(index / width) % height, index % width];
  };
  const expected: number[] = [];
  for (let n = 0; n < batch; n++) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      const origin = position(pixel, out).map((o, i) => o * (stride[i] as number) - (before[i] as number));
      for (let m = 0; m < outC; m++) {
        let sum = 0;
        for (let tap = 0; tap < taps; tap++) {
          const at = position(tap, kernel).map((t, i) => (origin[i] as number) + t * (dilation[i] as number));
          if (at.some((a, i) => a < 0 || a >= (size[i] as number))) continue;
          const from =
            ((n * (size[0] as number) + (at[0] as number)) * (size[1] as number) + (at[1] as number)) *
              (size[2] as number) +
            (at[2] as number);
          for (let c = 0; c < channels; c++) {
            const value = x.values[from * inC + Math.floor(m / outChannels) * channels + c] as number;
            sum +=
              (value - xZero) * ((w.values[(m * channels + c) * taps + tap] as number) - (wZeros.values[m] as number));
          }
        }
        expected.push(sum);
      }
    }
  }
  const engine = freshEngine(variant);
  const [xAt, wAt] = [placeGuarded(engine, bytesOf(x)), placeGuarded(engine, bytesOf(w))];
  const names = ['Depth', 'Height', 'Width'] as const;
  const window = Object.fromEntries(
    names.flatMap((name, i) => [
      [name.toLowerCase(), size[i]],
      [`out${name}`, out[i]],
      [`kernel${name}`, kernel[i]],
      [`stride${name}`, stride[i]],
      [`dilation${name}`, dilation[i]],
    ]),
  ) as never as Record<'depth', number>;
  for (const dots of kernelDots(engine)) {
    const group = dots === IntegerDots.Pairs ? 2 : 4;
    const panels = groups * Math.ceil(outChannels / IntegerTile.Panel);
    const depth = taps * channels;
    const packedBytes = panels * (IntegerTile.PanelHead + Math.ceil(depth / group) * group * IntegerTile.Panel);
    const panel = placeGuarded(engine, new Uint8Array(packedBytes));
    const strides = { tapStride: 1, channelStride: taps, columnStride: depth, matrixStride: outChannels * depth };
    const layout = { columns: outChannels, taps, channels, closed: 0, ...strides, group, flip: wSigned ? 0 : 128 };
    engine.launch('packIntegers', { w: wAt, packed: panel, ...layout }, panels);
    const bytes = expected.length * 4;
    const y = placeGuarded(engine, new Uint8Array(bytes));
    const zeros = { xZero: placeGuarded(engine, Uint8Array.of(xZero)), wZero: placeGuarded(engine, bytesOf(wZeros)) };
    const params = {
      ...{ ...zeros, xZeroStep: 0, wZeroStep: 1, xSigned: Number(xSigned), wSigned: Number(wSigned), result: Integers },
      ...{ scale: 0, scaleStep: 0, bias: 0, yZero: 0, ySigned: 0, low: 0, high: 0, x: xAt, w: panel, y, dots },
      ...{
        batch,
        groups,
        channels,
        outChannels,
        padFront: before[0],
        padTop: before[1],
        padLeft: before[2],
        ...window,
      },
    };
    const tiles =
      groups * Math.ceil((batch * pixels) / IntegerTile.Rows) * Math.ceil(outChannels / IntegerTile.Columns);
    runInSplits(engine, 'integerConvolution', params as never, tiles, { address: y, bytes });
    assert.ok(guardsIntact(engine, y, bytes));
    assert.equal([...new Int32Array(engine.memory.buffer, y, expected.length)], expected);
  }
}
