import { areDecided, isAtMost } from '../../../graph/guards.js';
import { formatSizes, product, type Size } from '../../../graph/sizes.js';
import { tile as primitive } from '../../../primitives/tile.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY, FLOATS } from '../../../schema/element-sets.js';
import { axisOf, like, numberAt } from '../../../schema/shapes.js';

/** Repetitions of each axis; opset 1 names one axis. */
function repeatsOf(c: Inference<unknown>, rank: number): readonly Size[] | undefined {
  if (!c.given(2)) return c.sizes(1);
  const [tiles, axis] = [numberAt(c, 1), numberAt(c, 2)];
  if (tiles === undefined || axis === undefined) return undefined;
  const tiled = axisOf(c, axis, rank);
  return Array.from({ length: rank }, (_, i) => (i === tiled ? tiles : 1));
}

function tiledDims(c: Inference<unknown>): Size[] | undefined {
  const dims = c.dims(0);
  const repeats = dims && repeatsOf(c, dims.length);
  if (repeats && repeats.length !== dims.length)
    c.fail('INVALID_VALUE', `repeats [${formatSizes(repeats)}] must have one entry per axis of [${formatSizes(dims)}]`);
  if (areDecided(repeats) && !repeats.every((count) => isAtMost(0, count)))
    c.fail('INVALID_SHAPE', `repeats [${formatSizes(repeats)}] must not be negative`);
  return dims?.map((dim, i) => (repeats ? product([dim, repeats[i] as Size]) : c.unknown()));
}

const rules = {
  guarded: true,
  infer: (c: Inference<unknown>) => [like(c, 0, tiledDims(c))],
  computes: by(primitive, (c: Inference<unknown>) => {
    const dims = c.dims(0);
    const repeats = dims && repeatsOf(c, dims.length);
    return areDecided(repeats) ? { repeats: repeats as readonly number[] } : undefined;
  }),
};

/** https://onnx.ai/onnx/operators/onnx__Tile.html */
export const tile = [
  defineOp({
    name: 'Tile',
    since: 6,
    signature: 'input: T, repeats: int64 -> output: T',
    types: { T: ANY },
    planned: [1],
    ...rules,
  }),
  defineOp({
    name: 'Tile',
    signature: 'input: T, tiles: T, axis: T -> output: T',
    types: { T: FLOATS },
    planned: [1, 2],
    ...rules,
  }),
];
