import { derived, type Size } from '../../graph/sizes.js';
import { ints } from '../../schema/attributes.js';
import { defineOp, type Inference } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { dimsOfRank, like } from '../../schema/shapes.js';
import { listOf } from '../emit.js';

interface CropAttributes {
  readonly border: readonly number[];
  readonly scale: readonly number[] | undefined;
}

/** Start and end of the rows and columns to keep. A negative end counts from the far side; MAX_SAFE_INTEGER keeps all up to it. */
function cutsOf(c: Inference<CropAttributes>): [start: number, end: number][] {
  const { border, scale } = c.attributes;
  if (border.length !== 4 || border.some((n) => n < 0))
    c.fail('INVALID_ATTRIBUTE', `border [${border}] must be four non-negative numbers: left, top, right, bottom`);
  if (scale && (scale.length !== 2 || scale.some((n) => n < 1)))
    c.fail('INVALID_ATTRIBUTE', `scale [${scale}] must be a height and a width`);
  const [left, top, right, bottom] = border as [number, number, number, number];
  const end = (first: number, size: number | undefined, margin: number) =>
    size === undefined ? (margin === 0 ? Number.MAX_SAFE_INTEGER : -margin) : first + size;
  return [
    [top, end(top, scale?.[0], bottom)],
    [left, end(left, scale?.[1], right)],
  ];
}

function croppedSize(c: Inference<CropAttributes>, size: number, [start, end]: [number, number]): number {
  const to = end < 0 ? size + end : end === Number.MAX_SAFE_INTEGER ? size : end;
  return to <= size && start <= to
    ? to - start
    : c.fail('INVALID_SHAPE', `cannot crop ${size} elements to the range ${start} to ${to}`);
}

/** https://github.com/onnx/onnx/blob/rel-1.3/docs/Operators.md#experimental-crop */
export const crop = defineOp({
  name: 'Crop',
  signature: 'input: T -> output: T',
  types: { T: FLOATS },
  attributes: { border: ints.required, scale: ints() },
  infer(c) {
    const dims = dimsOfRank(c, 0, 4);
    const cuts = cutsOf(c);
    const sizes = dims?.slice(2).map((dim, axis): Size => {
      const cut = cuts[axis] as [number, number];
      return derived(`crop${cut}`, [dim], (size) => croppedSize(c, size, cut));
    });
    return [like(c, 0, dims && sizes && [...dims.slice(0, 2), ...sizes])];
  },
  decompose(c) {
    const cuts = cutsOf(c);
    return c.emit('Slice', [
      c.input(0),
      listOf(
        c,
        cuts.map(([start]) => start),
      ),
      listOf(
        c,
        cuts.map(([, end]) => end),
      ),
      listOf(c, [2, 3]),
    ]);
  },
});
