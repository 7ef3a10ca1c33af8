import { type ElementType, elementTypeOf } from '../../../src/tensor/element-types.js';
import { axisOf, countOf, type Plain, type PlainArray, plain } from './array.js';
import { int, listed, type Reference, type References, scalar, tensor } from './definition.js';
import { exact, inexact, isFloat, isInteger, isWide } from './number-types.js';
import { around } from './offsets.js';
import { lanesOver } from './reductions.js';

const Range: Reference = (node) => {
  const { type } = tensor(node, 0);
  const [start, limit, delta] = [scalar(node, 0), scalar(node, 1), scalar(node, 2)];
  const length = Math.max(0, Math.ceil((limit - start) / delta));
  const values = Array.from({ length }, (_, i) => start + i * delta);
  return [plain(type, [length], isWide(type) ? values.map(BigInt) : values)];
};

const ConstantOfShape: Reference = (node) => {
  const dims = listed(node, 0) ?? [];
  const value = (node.attributes.value as PlainArray | undefined) ?? plain('float32', [1], [0]);
  return [plain(value.type, dims, new Array<Plain>(countOf(dims)).fill(value.data[0] as Plain))];
};

const EyeLike: Reference = (node) => {
  const x = tensor(node, 0);
  const code = int(node, 'dtype', undefined);
  const type = code === undefined ? x.type : (elementTypeOf(code) as ElementType);
  const k = int(node, 'k', 0);
  const columns = x.dims[1] as number;
  const [zero, one] = isWide(type) ? [0n, 1n] : [0, 1];
  const out = x.data.map((_, i) => ((i % columns) - Math.floor(i / columns) === k ? one : zero));
  return [plain(type, x.dims, out)];
};

/** An index outside −depth … depth − 1 gives a row without the on-value. */
const OneHot: Reference = (node) => {
  const indices = tensor(node, 0);
  const depth = Math.trunc(scalar(node, 1));
  const { type, data: values } = tensor(node, 2);
  const axis = axisOf(int(node, 'axis', -1), indices.dims.length + 1);
  const dims = [...indices.dims.slice(0, axis), depth, ...indices.dims.slice(axis)];
  const { inner } = around(dims, axis);
  const at = indices.data.map((index) => (Number(index) < 0 ? Number(index) + depth : Number(index)));
  const out = Array.from({ length: countOf(dims) }, (_, i) => {
    const place = Math.floor(i / inner) % depth;
    const lane = Math.floor(i / (inner * depth)) * inner + (i % inner);
    return values[at[lane] === place ? 1 : 0] as Plain;
  });
  return [plain(type, dims, out)];
};

const cumulative =
  (isProduct: boolean): Reference =>
  (node) => {
    const x = tensor(node, 0);
    if (!isFloat(x.type) && !isInteger(x.type)) return undefined;
    const { starts, places } = lanesOver(x.dims, [scalar(node, 1)], true);
    const order = int(node, 'reverse', 0) ? Array.from(places).reverse() : Array.from(places);
    const isExclusive = int(node, 'exclusive', 0) !== 0;
    const { data, zero, one } = exact(x);
    const out = new Array<number>(data.length);
    for (const start of starts) {
      let total = isProduct ? one : zero;
      for (const place of order) {
        const at = start + place;
        if (isExclusive) out[at] = total;
        total = isProduct ? total * (data[at] as number) : total + (data[at] as number);
        if (!isExclusive) out[at] = total;
      }
    }
    return [plain(x.type, x.dims, inexact(x.type, out))];
  };

export const CREATION: References = {
  Range,
  ConstantOfShape,
  EyeLike,
  OneHot,
  CumSum: cumulative(false),
  CumProd: cumulative(true),
};
