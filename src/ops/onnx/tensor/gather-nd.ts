import type { Dim } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { rowsOfTuples } from '../../../schema/positions.js';
import { like } from '../../../schema/shapes.js';
import { takeRows } from '../../../tensor/rows.js';
import { elementCount } from '../../../tensor/tensor-value.js';

export interface GatherAttributes {
  readonly batch_dims: number;
}

function gatheredDims(c: Inference<GatherAttributes>): readonly Dim[] | undefined {
  const [data, indices] = [c.dims(0), c.dims(1)];
  const depth = indices?.at(-1);
  if (!data || !indices || typeof depth !== 'number') return undefined;
  const { batch_dims } = c.attributes;
  if (batch_dims < 0 || batch_dims >= indices.length)
    c.fail('INVALID_ATTRIBUTE', `batch_dims must be from 0 to ${indices.length - 1}, not ${batch_dims}`);
  if (batch_dims + depth > data.length)
    c.fail(
      'INVALID_SHAPE',
      `indices [${indices}] name ${depth} axes of data [${data}] beyond batch_dims ${batch_dims}`,
    );
  return [...indices.slice(0, -1), ...data.slice(batch_dims + depth)];
}

/** Batches, the indexed dims of each, the tuples of each, and the length of a row. */
export function layoutOf(
  { attributes: { batch_dims } }: Inference<GatherAttributes>,
  data: readonly number[],
  indices: readonly number[],
) {
  const depth = indices.at(-1) as number;
  return {
    depth,
    indexed: data.slice(batch_dims, batch_dims + depth),
    batches: elementCount(data.slice(0, batch_dims)),
    tuples: elementCount(indices.slice(batch_dims, -1)),
    row: elementCount(data.slice(batch_dims + depth)),
  };
}

/** https://onnx.ai/onnx/operators/onnx__GatherND.html */
export const gatherND = defineOp({
  name: 'GatherND',
  since: 11,
  signature: 'data: T, indices: int64 -> output: T',
  types: { T: ANY },
  attributes: { batch_dims: int(0) },
  infer: (c) => [like(c, 0, gatheredDims(c))],
  evaluate(c) {
    const [x, indices] = [c.tensor(0), c.tensor(1)];
    const { indexed, tuples, row } = layoutOf(c, x.dims, indices.dims);
    const batchRows = elementCount(indexed);
    const rows = rowsOfTuples(c, indices, { dims: indexed, axis: c.attributes.batch_dims }).map(
      (r, t) => Math.floor(t / tuples) * batchRows + r,
    );
    const dims = [...indices.dims.slice(0, -1), ...x.dims.slice(c.attributes.batch_dims + indexed.length)];
    return [takeRows(x, rows, row, dims)];
  },
});
