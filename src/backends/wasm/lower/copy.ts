import { broadcastStrides, stridesOf } from '../../../graph/dims.js';
import { type Cut, cutsOf, type SliceAttributes, walkOf } from '../../../ops/onnx/tensor/slice.js';
import { partsOf, type SplitAttributes } from '../../../ops/onnx/tensor/split.js';
import { permutation, type TransposeAttributes } from '../../../ops/onnx/tensor/transpose.js';
import { axisOf } from '../../../schema/shapes.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { aboutAxis } from '../../../tensor/rows.js';
import { isWholeBytes } from '../../../tensor/strided.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import type { Lowering, Lowerings } from '../lowering.js';
import { copyStrided } from './strided-copy.js';

/** Whether the cuts take one run of memory. */
function isRun(cuts: readonly Cut[], dims: readonly number[]): boolean {
  const last = cuts.findLastIndex(({ length }, axis) => length !== dims[axis]);
  return cuts.every(({ step, length }, axis) => length === 1 || (step === 1 && axis >= last));
}

function slice(c: Lowering<SliceAttributes>): 'host' | undefined {
  const element = c.element(0);
  if (!isWholeBytes(element)) return 'host';
  const dims = c.shape(0);
  const outDims = c.outputShape(0);
  const cuts = cutsOf(c, dims);
  const { offset, strides } = walkOf(cuts, dims);
  if (elementCount(outDims) > 0 && isRun(cuts, dims)) {
    c.alias(0, 0, (offset * ELEMENTS[element].bits) / 8);
    return;
  }
  const to = { place: c.output(0), strides: stridesOf(outDims) };
  return copyStrided(c, element, outDims, { place: c.input(0), strides, offset }, to);
}

function concat(c: Lowering<{ readonly axis: number }>): 'host' | undefined {
  const element = c.element(0);
  if (!isWholeBytes(element)) return 'host';
  const dims = c.outputShape(0);
  const axis = axisOf(c, c.attributes.axis, dims.length);
  const { length, inner } = aboutAxis(dims, axis);
  let offset = 0;
  for (let i = 0; i < c.inputCount; i++) {
    const part = aboutAxis(c.shape(i), axis);
    const run = part.length * part.inner;
    const from = { place: c.input(i), strides: [run, 1] };
    copyStrided(c, element, [part.outer, run], from, { place: c.output(0), strides: [length * inner, 1], offset });
    offset += run;
  }
}

function split(c: Lowering<SplitAttributes>): 'host' | undefined {
  const element = c.element(0);
  if (!isWholeBytes(element)) return 'host';
  const dims = c.shape(0);
  const { outer, length, inner } = aboutAxis(dims, axisOf(c, c.attributes.axis, dims.length));
  let offset = 0;
  for (const [i, part] of (partsOf(c, length) as number[]).entries()) {
    const run = part * inner;
    const from = { place: c.input(0), strides: [length * inner, 1], offset };
    if (c.wanted(i) && outer === 1 && run > 0) c.alias(i, 0, (offset * ELEMENTS[element].bits) / 8);
    else if (c.wanted(i)) copyStrided(c, element, [outer, run], from, { place: c.output(i), strides: [run, 1] });
    offset += run;
  }
}

function expand(c: Lowering): 'host' | undefined {
  if (!isWholeBytes(c.element(0))) return 'host';
  const [from, to] = [c.shape(0), c.outputShape(0)];
  if (elementCount(from) === elementCount(to)) {
    c.alias(0, 0);
    return;
  }
  const source = { place: c.input(0), strides: broadcastStrides(from, to) };
  return copyStrided(c, c.element(0), to, source, { place: c.output(0), strides: stridesOf(to) });
}

/** Whether only axes of size 1 change their place among the others. */
function movesNothing(perm: readonly number[], dims: readonly number[]): boolean {
  const moved = perm.filter((axis) => dims[axis] !== 1);
  return moved.every((axis, i) => i === 0 || axis > (moved[i - 1] as number));
}

function transpose(c: Lowering<TransposeAttributes>): 'host' | undefined {
  const dims = c.shape(0);
  const perm = permutation(c, dims.length);
  if (movesNothing(perm, dims) || elementCount(dims) === 0) {
    c.alias(0, 0);
    return;
  }
  const strides = stridesOf(dims);
  const outDims = c.outputShape(0);
  const from = { place: c.input(0), strides: perm.map((axis) => strides[axis] as number) };
  return copyStrided(c, c.element(0), outDims, from, { place: c.output(0), strides: stridesOf(outDims) });
}

export const copies: Lowerings = {
  Concat: concat,
  Expand: expand,
  Slice: slice,
  Split: split,
  Transpose: transpose,
};
