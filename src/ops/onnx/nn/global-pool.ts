import type { Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { pooledDims } from '../../../primitives/global-pool.js';
import { float, int } from '../../../schema/attributes.js';
import { type Decomposition, defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { throughChannelsLast } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

/** Emits a reduction over the spatial axes of [N, C, spatial…]. */
function reduceSpatial(c: Decomposition<unknown>, op: string, x: Value, rank: number): Value[] {
  const axes = c.constant({
    type: 'int64',
    dims: [rank - 2],
    data: BigInt64Array.from({ length: rank - 2 }, (_, i) => BigInt(i + 2)),
  });
  return c.emit(op, [x, axes]);
}

const pools = [
  { name: 'GlobalAveragePool', reduction: 'ReduceMean' },
  { name: 'GlobalMaxPool', reduction: 'ReduceMax' },
];

/** https://onnx.ai/onnx/operators/onnx__GlobalAveragePool.html and GlobalMaxPool. */
export const globalPools = pools.map(({ name, reduction }) =>
  defineOp({
    name,
    signature: 'X: T -> Y: T',
    types: { T: FLOATS },
    infer: (c) => [tensorType(c.element(0), pooledDims(c, 1))],
    decompose(c) {
      const rank = c.dims(0)?.length;
      if (rank === undefined) return undefined;
      if (c.element(0) === 'float32') return throughChannelsLast(c, rank);
      return throughFloat32(c) ?? reduceSpatial(c, reduction, c.input(0), rank);
    },
  }),
);

/** (Σ |x|^p)^(1/p) over the spatial axes. */
function decomposeLp(c: Decomposition<{ readonly p: number }>): Value[] | undefined {
  const rank = c.dims(0)?.length;
  const { p } = c.attributes;
  if (rank === undefined) return undefined;
  if (p === 1 || p === 2) return reduceSpatial(c, `ReduceL${p}`, c.input(0), rank);
  const power = (x: Value, exponent: number) =>
    c.emit('Pow', [x, c.constant({ type: 'float32', dims: [], data: Float32Array.of(exponent) })])[0] as Value;
  const [magnitudes] = c.emit('Abs', [c.input(0)]) as [Value];
  const [total] = reduceSpatial(c, 'ReduceSum', power(magnitudes, p), rank) as [Value];
  return [power(total, 1 / p)];
}

/** https://onnx.ai/onnx/operators/onnx__GlobalLpPool.html */
export const globalLpPool = [
  { since: 2, p: int(2) },
  { since: 1, p: float(2) },
].map(({ since, p }) =>
  defineOp({
    name: 'GlobalLpPool',
    since,
    signature: 'X: T -> Y: T',
    types: { T: FLOATS },
    attributes: { p },
    infer: (c) => [tensorType(c.element(0), pooledDims(c, 1))],
    decompose: decomposeLp,
  }),
);
