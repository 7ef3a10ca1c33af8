import type { SparseTensorProto, TensorProto } from '../../../../build/onnx.js';
import { toBigInt, toNumber } from '../../../model/int64.js';
import { at, type Context, error, has, type Rule } from '../context.js';
import { countOf } from './extent.js';

export const SPARSE_TENSOR_RULES: readonly Rule<SparseTensorProto>[] = [fields, dims, indices];

const say = (c: Context, message: string, sparse: SparseTensorProto) =>
  error(c, 'SPARSE_TENSOR', message, { value: sparse.values?.name });

function fields(sparse: SparseTensorProto, c: Context): void {
  const { values } = sparse;
  if (!values) error(at(c, 'values'), 'MISSING', 'values is missing');
  else if (values.dims.length !== 1)
    say(at(c, 'values', 'dims'), `values must have rank 1, not ${values.dims.length}`, sparse);
  else if (toNumber(values.dims[0] ?? 0) !== 0 && !has(sparse, 'indices'))
    error(at(c, 'indices'), 'MISSING', 'indices is missing', { value: values.name });
}

function dims(sparse: SparseTensorProto, c: Context): void {
  const place = at(c, 'dims');
  if (sparse.dims.length === 0) say(place, 'a sparse tensor must have at least one dimension', sparse);
  const sizes = sparse.dims.map(toNumber);
  const axis = sizes.findIndex((size) => size <= 0);
  if (axis >= 0) say(at(place, axis), `the dimension ${sizes[axis]} is not positive`, sparse);
}

function indices(sparse: SparseTensorProto, c: Context): void {
  const { values, indices, dims } = sparse;
  if (!values || !indices) return;
  const place = at(c, 'indices');
  const stored = toNumber(values.dims[0] ?? 0);
  if (indices.dataType !== 7) {
    say(at(place, 'data_type'), 'indices must be int64', sparse);
    return;
  }
  const wanted = indices.dims.length === 1 ? [stored] : [stored, dims.length];
  const shape = indices.dims.map(toNumber);
  if (String(shape) !== String(wanted)) {
    say(
      at(place, 'dims'),
      `indices must have the shape [${stored}] or [${stored}, ${dims.length}], not [${shape}]`,
      sparse,
    );
    return;
  }
  const found = int64s(indices);
  if (found.length === wanted.reduce((n, d) => n * d, 1)) ordered(sparse, found, shape.length === 1, place);
}

/** Checks that indices, linear or per axis, are within the shape and strictly ascending. */
function ordered(sparse: SparseTensorProto, found: readonly bigint[], isLinear: boolean, c: Context): void {
  const sizes = isLinear ? [countOf(sparse.dims)] : sparse.dims.map(toBigInt);
  let before = -1n;
  for (let i = 0; i * sizes.length < found.length; i++) {
    let position = 0n;
    for (const [axis, size] of sizes.entries()) {
      const index = found[i * sizes.length + axis] as bigint;
      if (index < 0n || index >= size) {
        const where = isLinear
          ? `outside the range 0 to ${size - 1n}`
          : `outside axis ${axis}, which has the size ${size}`;
        say(c, `index ${index} of entry ${i} is ${where}`, sparse);
        return;
      }
      position = position * size + index;
    }
    if (position <= before) {
      say(c, `entry ${i} ${position === before ? 'has the same index as' : 'must come before'} entry ${i - 1}`, sparse);
      return;
    }
    before = position;
  }
}

function int64s({ rawData, int64Data }: TensorProto): readonly bigint[] {
  if (int64Data.length > 0) return int64Data.map(toBigInt);
  const bytes = new DataView(rawData.buffer, rawData.byteOffset, rawData.byteLength - (rawData.byteLength % 8));
  return Array.from({ length: bytes.byteLength / 8 }, (_, i) => bytes.getBigInt64(8 * i, true));
}
