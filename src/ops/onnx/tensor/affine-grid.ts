import type { Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { dimsOfRank, like } from '../../../schema/shapes.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { elementCount, integers } from '../../../tensor/tensor-value.js';

/** Coordinates of the centers of `size` pixels; −1 and 1 are the borders of the image, or the first and last center with `alignCorners`. */
const coordinates = (size: number, alignCorners: boolean): number[] =>
  Array.from({ length: size }, (_, i) => {
    if (!alignCorners) return (2 * i + 1) / size - 1;
    return size > 1 ? (2 * i) / (size - 1) - 1 : 0;
  });

/** Every point of the grid as (x, y, 1) or (x, y, z, 1): the last axis first. */
function places(sizes: readonly number[], alignCorners: boolean): number[] {
  let tuples: number[][] = [[1]];
  for (const size of sizes) {
    const along = coordinates(size, alignCorners);
    tuples = tuples.flatMap((tuple) => along.map((x) => [x, ...tuple]));
  }
  return tuples.flat();
}

/** https://onnx.ai/onnx/operators/onnx__AffineGrid.html: one product of the grid's points with each matrix. */
export const affineGrid = defineOp({
  name: 'AffineGrid',
  since: 20,
  signature: 'theta: T1, size: int64 -> grid: T1',
  types: { T1: FLOATS },
  attributes: { align_corners: int(0) },
  planned: [1],
  infer(c) {
    const [batch, rank] = dimsOfRank(c, 0, 3) ?? [];
    const sizes = c.sizes(1);
    if (sizes && sizes.length !== 4 && sizes.length !== 5)
      c.fail('INVALID_VALUE', `size must be [N,C,H,W] or [N,C,D,H,W], not [${sizes}]`);
    if (sizes && typeof rank === 'number' && rank !== sizes.length - 2)
      c.fail('INVALID_SHAPE', `theta with ${rank} rows does not match a grid of ${sizes.length - 2} dimensions`);
    return [like(c, 0, sizes && [batch as Size, ...sizes.slice(2), sizes.length - 2])];
  },
  decompose(c) {
    const [size, batch] = [c.contents(1), c.dims(0)?.[0]];
    if (!size || typeof batch !== 'number') return undefined;
    const sizes = integers(size).slice(2);
    const rank = sizes.length;
    const grid = tensorOf(
      c.element(0),
      [elementCount(sizes), rank + 1],
      places(sizes, Boolean(c.attributes.align_corners)),
    );
    const transposed = c.emit('Transpose', [c.input(0)], { perm: { type: 'ints', value: [0, 2, 1] } });
    const [moved] = c.emit('MatMul', [c.constant(grid), ...transposed]) as [Value];
    const dims = [batch, ...sizes, rank];
    return c.emit('Reshape', [moved, c.constant(tensorOf('int64', [dims.length], dims))]);
  },
});
