import { areDecided, differ, fixed } from '../../../graph/guards.js';
import { formatSizes, type Size } from '../../../graph/sizes.js';
import { gatherND as primitive } from '../../../primitives/gather-nd.js';
import { int } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { like } from '../../../schema/shapes.js';

interface GatherAttributes {
  readonly batch_dims: number;
}

function gatheredDims(c: Inference<GatherAttributes>): readonly Size[] | undefined {
  const [data, indices] = [c.dims(0), c.dims(1)];
  const last = indices?.at(-1);
  if (!data || !indices || last === undefined || !areDecided([last])) return undefined;
  const depth = fixed(last);
  const { batch_dims } = c.attributes;
  if (batch_dims < 0 || batch_dims >= indices.length)
    c.fail('INVALID_ATTRIBUTE', `batch_dims must be from 0 to ${indices.length - 1}, not ${batch_dims}`);
  if (batch_dims + depth > data.length)
    c.fail(
      'INVALID_SHAPE',
      `indices [${formatSizes(indices)}] index ${depth} axes of data [${formatSizes(data)}] after batch_dims ${batch_dims}`,
    );
  if (data.slice(0, batch_dims).some((size, axis) => differ(size, indices[axis])))
    c.fail(
      'INVALID_SHAPE',
      `indices [${formatSizes(indices)}] must begin with the ${batch_dims} batch dims of data [${formatSizes(data)}]`,
    );
  return [...indices.slice(0, -1), ...data.slice(batch_dims + depth)];
}

/** https://onnx.ai/onnx/operators/onnx__GatherND.html */
export const gatherND = defineOp({
  name: 'GatherND',
  since: 11,
  signature: 'data: T, indices: int64 -> output: T',
  types: { T: ANY },
  attributes: { batch_dims: int(0) },
  guarded: true,
  infer: (c) => [like(c, 0, gatheredDims(c))],
  computes: by(primitive, (c: Inference<GatherAttributes>) => ({ batchDims: c.attributes.batch_dims })),
});
