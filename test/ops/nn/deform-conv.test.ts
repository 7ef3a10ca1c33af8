import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coordinatesIn } from '../../../src/graph/dims.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../src/tensor/numbers.js';
import { elementCount, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { numbers } from '../../session/run-model.js';
import { runNode } from '../one-node.js';

const test = suite('DeformConv');

interface Case {
  readonly image: readonly number[];
  readonly kernel: readonly number[];
  readonly batch?: number;
  readonly channels?: number;
  readonly outChannels?: number;
  readonly group?: number;
  readonly offset_group?: number;
  readonly strides?: readonly number[];
  readonly pads?: readonly number[];
  readonly dilations?: readonly number[];
  readonly kernel_shape?: readonly number[];
  readonly mask?: boolean;
  readonly bias?: boolean;
  readonly element?: ElementType;
}

const cases: Readonly<Record<string, Case>> = {
  defaults: { image: [5, 6], kernel: [3, 2] },
  'mask and bias': { image: [5, 6], kernel: [3, 2], batch: 2, mask: true, bias: true },
  'a mask without bias': { image: [4, 4], kernel: [2, 2], mask: true },
  'every attribute': {
    image: [9, 8],
    kernel: [3, 2],
    batch: 2,
    channels: 8,
    outChannels: 6,
    group: 2,
    offset_group: 4,
    strides: [2, 1],
    pads: [2, 0, 1, 3],
    dilations: [2, 3],
    kernel_shape: [3, 2],
    mask: true,
    bias: true,
  },
  'a group for every channel': {
    image: [5, 5],
    kernel: [3, 3],
    channels: 4,
    outChannels: 8,
    group: 4,
    offset_group: 2,
  },
  '1×1': { image: [4, 5], kernel: [1, 1], channels: 3, bias: true },
  'an image of one row': { image: [1, 6], kernel: [1, 3], pads: [0, 1, 0, 1] },
  '1-D': { image: [9], kernel: [3], batch: 2, strides: [2], pads: [1, 2], mask: true, bias: true },
  '3-D': { image: [3, 4, 5], kernel: [2, 3, 2], offset_group: 2, pads: [1, 1, 0, 0, 1, 1], mask: true, bias: true },
  '4-D': { image: [2, 3, 2, 3], kernel: [1, 2, 2, 2], offset_group: 2, mask: true },
  float64: { image: [5, 6], kernel: [3, 2], element: 'float64', mask: true, bias: true, group: 2, offset_group: 2 },
  float16: { image: [5, 6], kernel: [3, 2], element: 'float16', mask: true, bias: true },
  bfloat16: { image: [5, 6], kernel: [3, 2], element: 'bfloat16', mask: true, bias: true },
};

/** What rounding the result alone may do; sums of float32 are within 1e-5 of their magnitude of some units. */
const TOLERANCE: Partial<Record<ElementType, number>> = { float16: 2e-3, bfloat16: 2e-2, float64: 1e-12 };

function inputsOf(c: Case) {
  const { image, kernel, batch = 1, channels = 4, outChannels = 4, group = 1, offset_group = 1 } = c;
  const rank = image.length;
  const { strides = image.map(() => 1), dilations = image.map(() => 1), pads = new Array(2 * rank).fill(0) } = c;
  const out = image.map((n, i) => {
    const span = (dilations[i] as number) * ((kernel[i] as number) - 1) + 1;
    return Math.floor((n + (pads[i] as number) + (pads[i + rank] as number) - span) / (strides[i] as number)) + 1;
  });
  const taps = offset_group * elementCount(kernel);
  const made = (dims: readonly number[], seed: number, scale = 1) => {
    const x = numbers(dims, seed);
    return tensorOf(
      c.element ?? 'float32',
      dims,
      (x.data as Float32Array).map((v) => v * scale),
    );
  };
  const x = made([batch, channels, ...image], 1);
  const w = made([outChannels, channels / group, ...kernel], 2);
  const offset = made([batch, taps * rank, ...out], 3, 2.5);
  const bias = c.bias ? made([outChannels], 4) : null;
  const mask = c.mask ? made([batch, taps, ...out], 5) : null;
  return { x, w, offset, bias, mask, out, strides, dilations, pads };
}

/** The sum over all pixels of the image, each with the weight of its distance along every axis. */
function expectedOf(c: Case): Float64Array {
  const { group = 1, offset_group = 1, image, kernel } = c;
  const { x, w, offset, bias, mask, out, strides, dilations, pads } = inputsOf(c);
  const [values, weights, offsets] = [x, w, offset].map(numbersOf) as [
    ArrayLike<number>,
    ArrayLike<number>,
    ArrayLike<number>,
  ];
  const [biases, masks] = [bias && numbersOf(bias), mask && numbersOf(mask)];
  const [[batch, channels], outChannels] = [x.dims as [number, number], w.dims[0] as number];
  const pixels = coordinatesIn(image);
  const taps = coordinatesIn(kernel);
  const places = coordinatesIn(out);
  const y: number[] = [];
  for (let n = 0; n < batch; n++) {
    for (let m = 0; m < outChannels; m++) {
      places.forEach((place, p) => {
        let sum = biases?.[m] ?? 0;
        for (let i = 0; i < channels / group; i++) {
          const channel = Math.floor((m * group) / outChannels) * (channels / group) + i;
          const part = Math.floor((channel * offset_group) / channels);
          taps.forEach((tap, k) => {
            const at = (n * offset_group + part) * taps.length + k;
            const where = place.map((o, a) => {
              const moved = offsets[(at * image.length + a) * places.length + p] as number;
              return (
                o * (strides[a] as number) - (pads[a] as number) + (tap[a] as number) * (dilations[a] as number) + moved
              );
            });
            let read = 0;
            pixels.forEach((pixel, s) => {
              const near = pixel.map((v, a) => Math.max(0, 1 - Math.abs(v - (where[a] as number))));
              read += near.reduce((a, b) => a * b) * (values[(n * channels + channel) * pixels.length + s] as number);
            });
            const weight = weights[(m * (channels / group) + i) * taps.length + k] as number;
            sum += weight * read * (masks ? (masks[at * places.length + p] as number) : 1);
          });
        }
        y.push(sum);
      });
    }
  }
  return Float64Array.from(y);
}

const attributesOf = ({ group, offset_group, strides, pads, dilations, kernel_shape }: Case) =>
  Object.fromEntries(
    Object.entries({ group, offset_group, strides, pads, dilations, kernel_shape }).filter(([, v]) => v !== undefined),
  ) as Record<string, number | number[]>;

for (const [name, c] of Object.entries(cases)) {
  test(name, async () => {
    const { x, w, offset, bias, mask, out } = inputsOf(c);
    const inputs = mask ? [x, w, offset, bias, mask] : bias ? [x, w, offset, bias] : [x, w, offset];
    const [y] = (await runNode('DeformConv', { inputs, attributes: attributesOf(c), opset: 22 })) as [TensorValue];
    assert.equal(y.dims, [x.dims[0], w.dims[0], ...out]);
    assert.is(y.type, x.type);
    const tolerance = TOLERANCE[x.type] ?? 1e-5;
    const actual = numbersOf(y);
    expectedOf(c).forEach((e, i) => {
      const off = Math.abs((actual[i] as number) - e);
      assert.ok(off <= tolerance * Math.max(1, Math.abs(e)), `[${i}] is ${actual[i]}, not ${e}`);
    });
  });
}

test('offsets of zero make it an ordinary convolution', async () => {
  const [x, w] = [numbers([1, 3, 6, 6], 1), numbers([2, 3, 3, 3], 2)];
  const offset = tensorOf('float32', [1, 18, 6, 6], new Float32Array(18 * 36));
  const attributes = { pads: [1, 1, 1, 1] };
  const [y] = (await runNode('DeformConv', { inputs: [x, w, offset], attributes, opset: 19 })) as [TensorValue];
  const [plain] = (await runNode('Conv', { inputs: [x, w], attributes, opset: 19 })) as [TensorValue];
  const expected = plain.data as Float32Array;
  (y.data as Float32Array).forEach((v, i) => {
    assert.ok(Math.abs(v - (expected[i] as number)) < 1e-5);
  });
});

for (const [what, change, message] of [
  ['offsets of other size', { offset: [1, 7, 4, 4] }, /input 2 must be \[1,8,4,4\]/],
  ['a mask of other size', { mask: [1, 3, 4, 4] }, /input 4 must be \[1,4,4,4\]/],
  ['a bias of other size', { bias: [3] }, /input 3 must be \[4\]/],
  [
    'offset groups that do not divide the channels',
    { offset_group: 3 },
    /4 channels cannot be split into 3 offset groups/,
  ],
] as const) {
  test(`refuses ${what}`, () => {
    const dims = { offset: [1, 8, 4, 4], mask: [1, 4, 4, 4], bias: [4], offset_group: 1, ...change };
    const shapes = [[1, 4, 5, 5], [4, 4, 2, 2], dims.offset, dims.bias, dims.mask];
    const inputs = shapes.map((shape) => numbers(shape));
    const attributes = { offset_group: dims.offset_group };
    const code = what.includes('groups') ? 'INVALID_ATTRIBUTE' : 'INVALID_SHAPE';
    return expectRejection(code, message, runNode('DeformConv', { inputs, attributes, opset: 22 }));
  });
}

test.run();
