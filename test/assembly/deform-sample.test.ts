import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, relativeL2, runInSplits, variants } from './kernels.js';

type Triple = [depth: number, height: number, width: number];

interface Case {
  batch?: number;
  axes: 1 | 2 | 3;
  input: Triple;
  channels: number;
  offsetGroups?: number;
  kernel: Triple;
  stride?: Triple;
  dilation?: Triple;
  pads?: Triple;
  mask?: boolean;
  /** The largest offset; 0: whole numbers. */
  reach?: number;
}

const cases: Record<string, Case> = {
  '3×3': { batch: 2, axes: 2, input: [1, 6, 7], channels: 9, kernel: [1, 3, 3], pads: [0, 1, 1], reach: 1.5 },
  '3×3, masked, far beyond the edge': {
    axes: 2,
    input: [1, 5, 6],
    channels: 8,
    kernel: [1, 3, 3],
    pads: [0, 1, 1],
    mask: true,
    reach: 6,
  },
  'whole offsets': { axes: 2, input: [1, 6, 6], channels: 6, kernel: [1, 2, 2], reach: 0 },
  'strided and dilated': {
    axes: 2,
    input: [1, 9, 8],
    channels: 7,
    kernel: [1, 3, 2],
    stride: [1, 2, 3],
    dilation: [1, 2, 1],
    pads: [0, 2, 1],
    reach: 1,
  },
  'offset groups': {
    batch: 2,
    axes: 2,
    input: [1, 5, 5],
    channels: 24,
    offsetGroups: 4,
    kernel: [1, 2, 3],
    mask: true,
    reach: 1,
  },
  '1-D': {
    batch: 2,
    axes: 1,
    input: [1, 1, 17],
    channels: 5,
    offsetGroups: 5,
    kernel: [1, 1, 3],
    stride: [1, 1, 2],
    pads: [0, 0, 2],
    mask: true,
    reach: 2,
  },
  '3-D': {
    batch: 2,
    axes: 3,
    input: [4, 5, 3],
    channels: 6,
    offsetGroups: 2,
    kernel: [2, 2, 3],
    pads: [1, 0, 1],
    mask: true,
    reach: 2,
  },
};

for (const variant of variants) {
  const test = suite(`deformable sampling (${variant})`);
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { batch = 1, axes, input, channels, offsetGroups = 1, kernel, reach = 1 } = c;
      const { stride = [1, 1, 1], dilation = [1, 1, 1], pads = [0, 0, 0] } = c;
      const out = input.map(
        (n, a) =>
          Math.floor(
            (n + 2 * (pads[a] as number) - (dilation[a] as number) * ((kernel[a] as number) - 1) - 1) /
              (stride[a] as number),
          ) + 1,
      ) as Triple;
      const [size, pixels, taps] = [input, out, kernel].map(([a, b, d]) => a * b * d) as [number, number, number];
      const x = randomFloats(batch * size * channels, 1);
      const places = batch * pixels * offsetGroups * taps;
      const offset = randomFloats(places * axes, 2).map((v) => (reach ? v * reach : Math.round(v * 3)));
      if (reach) offset.set([Number.NaN, 1e30, Number.NEGATIVE_INFINITY].slice(0, axes));
      const mask = randomFloats(places, 3);

      const expected = new Float64Array(batch * pixels * taps * channels);
      for (let i = 0; i < batch * pixels; i++) {
        const at = [Math.floor(i / out[2] / out[1]) % out[0], Math.floor(i / out[2]) % out[1], i % out[2]] as Triple;
        for (let tap = 0; tap < taps; tap++) {
          const within = [
            Math.floor(tap / kernel[2] / kernel[1]),
            Math.floor(tap / kernel[2]) % kernel[1],
            tap % kernel[2],
          ];
          for (let channel = 0; channel < channels; channel++) {
            const part = Math.floor(channel / (channels / offsetGroups));
            const place = (i * offsetGroups + part) * taps + tap;
            const where = at.map((o, a) => {
              const own = a - (3 - axes);
              const moved = own < 0 ? 0 : (offset[place * axes + own] as number);
              return (
                o * (stride[a] as number) -
                (pads[a] as number) +
                (within[a] as number) * (dilation[a] as number) +
                moved
              );
            });
            let sum = 0;
            const image = Math.floor(i / pixels) * size;
            for (let s = 0; s < size; s++) {
              const pixel = [Math.floor(s / input[2] / input[1]), Math.floor(s / input[2]) % input[1], s % input[2]];
              const weight = pixel.reduce((w, p, a) => w * Math.max(0, 1 - Math.abs(p - (where[a] as number))), 1);
              if (weight > 0) sum += weight * (x[(image + s) * channels + channel] as number);
            }
            const [z, line, column] = at.map((o, a) => o * (kernel[a] as number) + (within[a] as number)) as Triple;
            const [planes, lines, columns] = out.map((n, a) => n * (kernel[a] as number)) as Triple;
            const row = (Math.floor(i / pixels) * planes + z) * lines + line;
            const to = (row * columns + column) * channels + channel;
            expected[to] = sum * (c.mask ? (mask[place] as number) : 1);
          }
        }
      }

      const engine = freshEngine(variant);
      const y = placeGuarded(engine, new Float32Array(expected.length));
      const tilePixels = 3;
      const params = {
        ...{ x: placeGuarded(engine, x), offset: placeGuarded(engine, offset), y },
        mask: c.mask ? placeGuarded(engine, mask) : 0,
        ...{ batch, channels, offsetGroups, axes, tilePixels },
        ...{ depth: input[0], height: input[1], width: input[2] },
        ...{ outDepth: out[0], outHeight: out[1], outWidth: out[2] },
        ...{ kernelDepth: kernel[0], kernelHeight: kernel[1], kernelWidth: kernel[2] },
        ...{ strideDepth: stride[0], strideHeight: stride[1], strideWidth: stride[2] },
        ...{ dilationDepth: dilation[0], dilationHeight: dilation[1], dilationWidth: dilation[2] },
        ...{ padFront: pads[0], padTop: pads[1], padLeft: pads[2] },
      };
      const tiles = Math.ceil((batch * pixels) / tilePixels);
      runInSplits(engine, 'deformSample', params, tiles, { address: y, bytes: 4 * expected.length });
      const error = relativeL2(engine.f32.slice(y / 4, y / 4 + expected.length), expected);
      assert.ok(error < 3e-7, `relative L2 ${error}`);
      assert.ok(guardsIntact(engine, y, 4 * expected.length));
    });
  }
  test.run();
}
