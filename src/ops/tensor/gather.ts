import { grainOf } from '../../backends/wasm/lower/grain.js';
import { copyStrided } from '../../backends/wasm/lower/strided-copy.js';
import type { Lowering } from '../../backends/wasm/lowering.js';
import type { Dim } from '../../graph/types.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { elementCount, integers } from '../../tensor/tensor-value.js';
import { int } from '../attributes.js';
import { defineOp, type Inference } from '../definition.js';
import { ANY, INDICES } from '../element-sets.js';
import { outsideOf, positionOf } from '../positions.js';
import { aboutAxis, takeRows } from '../rows.js';
import { axisOf, like } from '../shapes.js';
import { isWholeBytes } from '../strided.js';

interface Attributes {
  readonly axis: number;
}

/** One known index along the axis needs no gathering: the rows are a slice of the data. */
function lowerSlice(c: Lowering<Attributes>, axis: number, index: number): 'host' | undefined {
  const dims = c.shape(0);
  const { outer, length, inner } = aboutAxis(dims, axis);
  const offset = positionOf(c, index, length, axis) * inner;
  if (outer === 1) {
    c.alias(0, 0, (offset * ELEMENTS[c.element(0)].bits) / 8);
    return;
  }
  const from = { place: c.input(0), strides: [length * inner, 1], offset };
  return copyStrided(c, c.element(0), [outer, inner], from, { place: c.output(0), strides: [inner, 1] });
}

function lower(c: Lowering<Attributes>): 'host' | undefined {
  if (!isWholeBytes(c.element(0))) return 'host';
  const dims = c.shape(0);
  const axis = axisOf(c, c.attributes.axis, dims.length);
  const known = c.contents(1);
  if (known && elementCount(known.dims) === 1) return lowerSlice(c, axis, Number(known.data[0]));
  const { outer, length, inner } = aboutAxis(dims, axis);
  const tuples = elementCount(c.shape(1));
  if (length === 0 && tuples > 0) c.fail('INVALID_SHAPE', `axis ${axis} of [${dims}] is empty`);
  for (const index of known ? integers(known) : []) positionOf(c, index, length, axis);
  const rowBytes = (inner * ELEMENTS[c.element(0)].bits) / 8;
  const tileRows = grainOf(outer * tuples, rowBytes / 4 + 8);
  const params = {
    x: c.input(0),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, outsideOf({ dims: [length], axis })),
    table: c.table(Int32Array.of(length, 1)),
    depth: 1,
    indexBytes: ELEMENTS[c.element(1)].bits / 8,
    batches: outer,
    batchRows: length,
    tuples,
    indexBatch: 0,
    rowBytes,
    tileRows,
  };
  c.launch('gather', params, rowBytes && Math.ceil((outer * tuples) / tileRows), { writes: [c.output(0)] });
}

function sizesOf(c: Inference<Attributes>): readonly Dim[] | undefined {
  const [sizes, indices] = [c.sizes(0), c.sizes(1)];
  if (!sizes || c.dims(0)?.length !== 1 || !indices?.every((i) => typeof i === 'number')) return undefined;
  return indices.map((i) => sizes[positionOf(c, i as number, sizes.length, 0)] as Dim);
}

/** https://onnx.ai/onnx/operators/onnx__Gather.html */
export const gather = defineOp({
  name: 'Gather',
  signature: 'data: T, indices: Tind -> output: T',
  types: { T: ANY, Tind: INDICES },
  attributes: { axis: int(0) },
  infer(c) {
    const [data, indices] = [c.dims(0), c.dims(1)];
    if (!data || !indices) return [like(c, 0, undefined)];
    const axis = axisOf(c, c.attributes.axis, data.length);
    return [like(c, 0, [...data.slice(0, axis), ...indices, ...data.slice(axis + 1)])];
  },
  sizes: sizesOf,
  evaluate(c) {
    const [x, indices] = [c.tensor(0), c.tensor(1)];
    const axis = axisOf(c, c.attributes.axis, x.dims.length);
    const { outer, length, inner } = aboutAxis(x.dims, axis);
    const positions = integers(indices).map((i) => positionOf(c, i, length, axis));
    const sources = Array.from({ length: outer }, (_, o) => positions.map((p) => o * length + p)).flat();
    return [takeRows(x, sources, inner, [...x.dims.slice(0, axis), ...indices.dims, ...x.dims.slice(axis + 1)])];
  },
  lower,
});
