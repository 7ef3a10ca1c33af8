import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IntegerDots, IntegerResult, IntegerTile } from '../../build/quantized-kernels.js';
import { integerDots } from '../../src/backends/wasm/lower/integer-dots.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits, variants } from './kernels.js';

/** Of rows and of columns. */
type Pair = readonly [number, number];

interface Window {
  readonly batch: number;
  readonly channels: number;
  readonly size: Pair;
  readonly kernel: Pair;
  readonly stride: Pair;
  readonly dilation: Pair;
  readonly before: Pair;
  readonly out: Pair;
}

const plain = { batch: 1, stride: [1, 1], dilation: [1, 1], before: [0, 0] } as const;

const WINDOWS: readonly Window[] = [
  { ...plain, channels: 32, size: [6, 9], kernel: [3, 3], before: [1, 1], out: [6, 9] },
  { ...plain, channels: 70, size: [5, 8], kernel: [3, 3], stride: [2, 2], before: [0, 1], out: [3, 4] },
  { ...plain, batch: 2, channels: 19, size: [7, 7], kernel: [5, 5], before: [2, 2], out: [7, 7] },
  { ...plain, channels: 5, size: [9, 11], kernel: [2, 3], dilation: [3, 2], before: [1, 3], out: [8, 12] },
  { ...plain, channels: 16, size: [1, 40], kernel: [1, 7], stride: [1, 3], before: [0, 5], out: [1, 15] },
  { ...plain, channels: 17, size: [12, 1], kernel: [9, 1], before: [7, 0], out: [14, 1] },
  { ...plain, channels: 3, size: [2, 2], kernel: [1, 1], before: [3, 3], out: [8, 8] },
];

const bytes = (count: number, signed: boolean, seed: number) => {
  const least = signed ? -128 : 0;
  return Int32Array.from(
    randomFloats(count, seed),
    (x) => Math.min(Math.max(Math.floor(160 * x), -128), 127) + 128 + least,
  );
};

const offset = ([, width]: Pair, [row, column]: Pair) => row * width + column;

/** Σ (x − xZero) · (w − wZero) of every pixel and channel. */
function sums(o: Window, x: Int32Array, w: Int32Array, xZero: number, wZeros: Int32Array): number[] {
  const [count, taps] = [o.size[0] * o.size[1], o.kernel[0] * o.kernel[1]];
  const pixels = o.batch * o.out[0] * o.out[1];
  return Array.from({ length: pixels * o.channels }, (_, i) => {
    const [channel, pixel] = [i % o.channels, Math.floor(i / o.channels)];
    const image = Math.floor(pixel / (o.out[0] * o.out[1]));
    const place = [Math.floor(pixel / o.out[1]) % o.out[0], pixel % o.out[1]] as const;
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const at = [Math.floor(tap / o.kernel[1]), tap % o.kernel[1]].map(
        (t, d) =>
          (place[d] as number) * (o.stride[d] as number) - (o.before[d] as number) + t * (o.dilation[d] as number),
      ) as unknown as Pair;
      if (at.some((a, d) => a < 0 || a >= (o.size[d] as number))) continue;
      const value = x[(image * count + offset(o.size, at)) * o.channels + channel] as number;
      sum += (value - xZero) * ((w[channel * taps + tap] as number) - (wZeros[channel] ?? (wZeros[0] as number)));
    }
    return sum;
  });
}

const roundHalfEven = (x: number) => {
  const low = Math.floor(x);
  return x - low === 0.5 ? low + (Math.abs(low) % 2) : Math.round(x);
};

for (const variant of variants) {
  const test = suite(`integerDepthwise (${variant})`);
  for (const [o, xSigned, wSigned] of WINDOWS.flatMap((o) => [
    [o, false, true] as const,
    [o, true, true] as const,
    [o, false, false] as const,
  ])) {
    const signs = `${xSigned ? 's' : 'u'}${wSigned ? 's' : 'u'}`;
    test(`${o.channels} channels of ${o.size} by ${o.kernel}, stride ${o.stride}, dilation ${o.dilation}, ${signs}`, () => {
      const taps = o.kernel[0] * o.kernel[1];
      const [x, w] = [
        bytes(o.batch * o.size[0] * o.size[1] * o.channels, xSigned, 1),
        bytes(o.channels * taps, wSigned, 2),
      ];
      const xZero = xSigned ? -3 : 130;
      // No zero point leaves sums of x aside where weights are signed.
      const wZeros = wSigned && xSigned ? new Int32Array(1) : bytes(o.channels, wSigned, 3);
      const exact = sums(o, x, w, xZero, wZeros);
      const scale = 2e-3;
      const narrow = exact.map((sum) => roundHalfEven(Math.fround(Math.fround(sum) * Math.fround(scale))) + 120);
      const engine = freshEngine(variant);
      const at = { x: placeGuarded(engine, Uint8Array.from(x)), w: placeGuarded(engine, Uint8Array.from(w)) };
      for (const dots of new Set([IntegerDots.Pairs, integerDots(engine)])) {
        const group = dots === IntegerDots.Pairs ? 2 : 4;
        const panels = Math.ceil(o.channels / IntegerTile.Panel);
        const own = Math.ceil(o.kernel[0] / group) * group * o.kernel[1] * IntegerTile.Panel;
        const size = panels * (IntegerTile.PanelHead + own);
        const packed = placeGuarded(engine, new Uint8Array(size));
        const strides = { tapStride: 1, channelStride: o.kernel[1], columnStride: taps, matrixStride: 0 };
        const layout = { columns: o.channels, taps: o.kernel[1], channels: o.kernel[0], group, closed: 1, ...strides };
        const packing = { w: at.w, packed, ...layout, flip: wSigned ? 0 : 128 };
        runInSplits(engine, 'packIntegers', packing, panels, { address: packed, bytes: size });
        assert.ok(guardsIntact(engine, packed, size));
        const pixels = o.batch * o.out[0] * o.out[1];
        const tilePixels = 5;
        const common = {
          ...{ x: at.x, w: packed, dots, batch: o.batch, channels: o.channels, tilePixels },
          ...{ xZero: placeGuarded(engine, Uint8Array.of(xZero)), xZeroStep: 0, xSigned: Number(xSigned) },
          ...{ wZero: placeGuarded(engine, Uint8Array.from(wZeros)), wZeroStep: Number(wZeros.length > 1) },
          ...{ wSigned: Number(wSigned), scale: placeGuarded(engine, Float32Array.of(scale)), scaleStep: 0, bias: 0 },
          ...{ yZero: placeGuarded(engine, Uint8Array.of(120)), ySigned: 0, low: 10, high: 250 },
          ...{ height: o.size[0], width: o.size[1], outHeight: o.out[0], outWidth: o.out[1] },
          ...{
            kernelHeight: o.kernel[0],
            kernelWidth: o.kernel[1],
            strideHeight: o.stride[0],
            strideWidth: o.stride[1],
          },
          ...{ dilationHeight: o.dilation[0], dilationWidth: o.dilation[1], padTop: o.before[0], padLeft: o.before[1] },
        };
        for (const result of [IntegerResult.Integers, IntegerResult.Narrow]) {
          const isNarrow = result === IntegerResult.Narrow;
          const length = exact.length * (isNarrow ? 1 : 4);
          const y = placeGuarded(engine, new Uint8Array(length));
          const params = { ...common, y, result };
          runInSplits(engine, 'integerDepthwise', params, Math.ceil(pixels / tilePixels), {
            address: y,
            bytes: length,
          });
          assert.ok(guardsIntact(engine, y, length));
          const made = new (isNarrow ? Uint8Array : Int32Array)(engine.memory.buffer, y, exact.length);
          const expected = isNarrow ? narrow.map((q) => Math.min(Math.max(q, 10), 250)) : exact;
          assert.equal([...made], expected);
        }
      }
    });
  }
  test.run();
}
