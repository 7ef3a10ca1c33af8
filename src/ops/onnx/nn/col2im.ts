import { coordinatesIn, stridesOf } from '../../../graph/dims.js';
import { ints } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { BOOL, NUMBERS } from '../../../schema/element-sets.js';
import { dimsOfRank, like } from '../../../schema/shapes.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { emptyData } from '../../../tensor/empty-data.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount, integers, type TensorValue } from '../../../tensor/tensor-value.js';

/** https://onnx.ai/onnx/operators/onnx__Col2Im.html: sums the columns of blocks back into an image. */
export const col2Im = defineOp({
  name: 'Col2Im',
  since: 18,
  signature: 'input: T, image_shape: int64, block_shape: int64 -> output: T',
  types: { T: [...NUMBERS, ...BOOL, 'complex64', 'complex128', 'string'] },
  attributes: { dilations: ints(), pads: ints(), strides: ints() },
  planned: [1, 2],
  infer(c) {
    const dims = dimsOfRank(c, 0, 3);
    const [image, block] = [c.sizes(1), c.contents(2)];
    if (!dims || !image || !block) return [like(c, 0, undefined)];
    const sizes = integers(block);
    for (const [name, list, length] of [
      ['block_shape', sizes, image.length],
      ['strides', c.attributes.strides, image.length],
      ['dilations', c.attributes.dilations, image.length],
      ['pads', c.attributes.pads, 2 * image.length],
    ] as const) {
      const least = name === 'pads' ? 0 : 1;
      if (list && (list.length !== length || list.some((n) => n < least)))
        c.fail('INVALID_VALUE', `${name} [${list}] must have ${length} entries of at least ${least}`);
    }
    const size = elementCount(sizes);
    const rows = dims[1];
    if (typeof rows === 'number' && rows % size !== 0)
      c.fail('INVALID_SHAPE', `${rows} rows cannot be split into blocks of ${size}`);
    return [like(c, 0, [dims[0] ?? c.unknown(), typeof rows === 'number' ? rows / size : c.unknown(), ...image])];
  },
  evaluate(c) {
    const x = c.tensor(0);
    const [image, block] = [1, 2].map((i) => integers(c.contents(i) as TensorValue)) as [number[], number[]];
    const rank = image.length;
    const {
      strides = image.map(() => 1),
      dilations = image.map(() => 1),
      pads = new Array(2 * rank).fill(0),
    } = c.attributes;
    const steps = image.map((size, d) => {
      const span = (dilations[d] as number) * ((block[d] as number) - 1) + 1;
      return Math.floor((size + pads[d] + pads[d + rank] - span) / (strides[d] as number)) + 1;
    });
    const offsets = stridesOf(image);
    const targetOf = (within: readonly number[], step: readonly number[]): number => {
      const place = image.map(
        (_, d) =>
          (step[d] as number) * (strides[d] as number) + (within[d] as number) * (dilations[d] as number) - pads[d],
      );
      const isInside = place.every((at, d) => at >= 0 && at < (image[d] as number));
      return isInside ? place.reduce((sum, at, d) => sum + at * (offsets[d] as number), 0) : -1;
    };
    const positions = coordinatesIn(steps);
    const targets = coordinatesIn(block).flatMap((within) => positions.map((step) => targetOf(within, step)));
    const [batch, rows, columns] = x.dims as [number, number, number];
    if (columns !== elementCount(steps))
      c.fail('INVALID_SHAPE', `got ${columns} columns; [${image}] has ${elementCount(steps)} blocks of [${block}]`);
    const channels = rows / elementCount(block);
    const planes = batch * channels;
    const pixels = elementCount(image);
    const dims = [batch, channels, ...image];
    const sum = sumsOf(x, dims);
    for (let plane = 0; plane < planes; plane++) {
      for (let i = 0; i < targets.length; i++) {
        const target = targets[i] as number;
        if (target >= 0) sum.add(plane * pixels + target, plane * targets.length + i);
      }
    }
    return [sum.result()];
  },
});

/** Accumulates elements of x in a tensor of shape `dims`; strings are concatenated. */
function sumsOf(x: TensorValue, dims: readonly number[]) {
  if (x.type === 'string') {
    const texts = x.data as readonly string[];
    const data = emptyData('string', dims) as string[];
    return {
      add(to: number, from: number) {
        data[to] += texts[from] as string;
      },
      result: (): TensorValue => ({ type: 'string', dims, data }),
    };
  }
  const { entries = 1 } = ELEMENTS[x.type];
  const values = numbersOf(x);
  const sums = new Float64Array(elementCount(dims) * entries);
  return {
    add(to: number, from: number) {
      for (let e = 0; e < entries; e++)
        sums[to * entries + e] = (sums[to * entries + e] as number) + (values[from * entries + e] as number);
    },
    result: () => tensorOf(x.type, dims, sums),
  };
}
