import { copyStrided } from '../../backends/wasm/lower/strided-copy.js';
import type { Lowering } from '../../backends/wasm/lowering.js';
import { product, stridesOf } from '../../graph/dims.js';
import type { Dim } from '../../graph/types.js';
import { defineOp, type Evaluation, type Inference } from '../definition.js';
import { ANY, FLOATS } from '../element-sets.js';
import { axisOf, like, numberAt } from '../shapes.js';
import { evaluateStrided, isWholeBytes } from '../strided.js';

type Repeats = (c: Inference<unknown>, rank: number) => readonly Dim[] | undefined;

/** Every axis as a pair: its repetitions, which do not move in the source, and its elements. */
function paired(dims: readonly number[], repeats: readonly Dim[]) {
  const strides = stridesOf(dims);
  return {
    dims: dims.flatMap((dim, i) => [repeats[i] as number, dim]),
    strides: strides.flatMap((stride) => [0, stride]),
  };
}

/** The rules of Tile, given where its repetitions stand. */
function tiling(repeatsOf: Repeats) {
  const dimsOf = (c: Inference<unknown>) => {
    const dims = c.dims(0);
    const repeats = dims && repeatsOf(c, dims.length);
    if (repeats && repeats.length !== dims.length)
      c.fail('INVALID_VALUE', `repeats [${repeats}] has not one entry per axis of [${dims}]`);
    return dims?.map((dim, i) => (repeats ? product([dim, repeats[i] as Dim]) : c.unknown()));
  };
  return {
    infer: (c: Inference<unknown>) => [like(c, 0, dimsOf(c))],
    evaluate(c: Evaluation<unknown>) {
      const x = c.tensor(0);
      const { dims, strides } = paired(x.dims, repeatsOf(c, x.dims.length) as Dim[]);
      return [{ ...evaluateStrided(x, dims, strides, 0), dims: dimsOf(c) as number[] }];
    },
    lower(c: Lowering<unknown>): 'host' | undefined {
      if (!isWholeBytes(c.element(0))) return 'host';
      const x = c.shape(0);
      const { dims, strides } = paired(x, repeatsOf(c, x.length) as Dim[]);
      const to = { place: c.output(0), strides: stridesOf(dims) };
      return copyStrided(c, c.element(0), dims, { place: c.input(0), strides }, to);
    },
  };
}

/** https://onnx.ai/onnx/operators/onnx__Tile.html */
export const tile = [
  defineOp({
    name: 'Tile',
    since: 6,
    signature: 'input: T, repeats: int64 -> output: T',
    types: { T: ANY },
    planned: [1],
    ...tiling((c) => c.sizes(1)),
  }),
  defineOp({
    name: 'Tile',
    signature: 'input: T, tiles: T, axis: T -> output: T',
    types: { T: FLOATS },
    planned: [1, 2],
    ...tiling((c, rank) => {
      const [tiles, axis] = [numberAt(c, 1), numberAt(c, 2)];
      if (tiles === undefined || axis === undefined) return undefined;
      const tiled = axisOf(c, axis, rank);
      return Array.from({ length: rank }, (_, i) => (i === tiled ? tiles : 1));
    }),
  }),
];
