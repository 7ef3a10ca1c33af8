import { broadcastStrides, stridesOf } from '../../../graph/dims.js';
import type { Along } from '../../../primitives/along.js';
import { concat } from '../../../primitives/concat.js';
import { expand } from '../../../primitives/expand.js';
import { type Cut, slice, walkOf } from '../../../primitives/slice.js';
import { type SplitParameters, split } from '../../../primitives/split.js';
import { type TransposeParameters, transpose } from '../../../primitives/transpose.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { aboutAxis } from '../../../tensor/rows.js';
import { isWholeBytes } from '../../../tensor/strided.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, type Lowerings, lowers } from '../lowering.js';
import { copyStrided } from './strided-copy.js';

/** Whether the cuts take one run of memory. */
function isRun(cuts: readonly Cut[], dims: readonly number[]): boolean {
  const last = cuts.findLastIndex(({ length }, axis) => length !== dims[axis]);
  return cuts.every(({ step, length }, axis) => length === 1 || (step === 1 && axis >= last));
}

function lowerSlice(c: Lowering, cuts: readonly Cut[]): 'host' | undefined {
  const element = c.element(0);
  if (!isWholeBytes(element)) return 'host';
  const dims = c.shape(0);
  const outDims = c.outputShape(0);
  const { offset, strides } = walkOf(cuts, dims);
  if (elementCount(outDims) > 0 && isRun(cuts, dims)) {
    c.alias(0, 0, (offset * ELEMENTS[element].bits) / 8);
    return;
  }
  const to = { place: c.output(0), strides: stridesOf(outDims) };
  return copyStrided(c, element, outDims, { place: c.input(0), strides, offset }, to);
}

function lowerConcat(c: Lowering, { axis }: Along): 'host' | undefined {
  const element = c.element(0);
  if (!isWholeBytes(element)) return 'host';
  const { length, inner } = aboutAxis(c.outputShape(0), axis);
  const pitch = c.outputPitch(0);
  c.isEven();
  let offset = 0;
  for (let i = 0; i < c.inputCount; i++) {
    const part = aboutAxis(c.shape(i), axis);
    const run = part.length * part.inner;
    const isThere = i === 0 && pitch !== undefined;
    const to = { place: c.output(0), strides: [(pitch ?? length) * inner, 1], offset };
    offset += run;
    if (isThere) continue;
    const from = { place: c.input(i), strides: [run, 1] };
    copyStrided(c, element, [part.outer, run], from, to);
  }
}

function lowerSplit(c: Lowering, { axis, lengths }: SplitParameters): 'host' | undefined {
  const element = c.element(0);
  if (!isWholeBytes(element)) return 'host';
  const { outer, length, inner } = aboutAxis(c.shape(0), axis);
  let offset = 0;
  for (const [i, part] of lengths.entries()) {
    const run = part * inner;
    const from = { place: c.input(0), strides: [length * inner, 1], offset };
    if (c.wanted(i) && outer === 1 && run > 0) c.alias(i, 0, (offset * ELEMENTS[element].bits) / 8);
    else if (c.wanted(i)) copyStrided(c, element, [outer, run], from, { place: c.output(i), strides: [run, 1] });
    offset += run;
  }
}

function lowerExpand(c: Lowering): 'host' | undefined {
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

function lowerTranspose(c: Lowering, { perm }: TransposeParameters): 'host' | undefined {
  const dims = c.shape(0);
  c.isEven();
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
  ...lowers(concat, lowerConcat),
  ...lowers(expand, lowerExpand),
  ...lowers(slice, lowerSlice),
  ...lowers(split, lowerSplit),
  ...lowers(transpose, lowerTranspose),
};
