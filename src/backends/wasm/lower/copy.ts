import { broadcastStrides, stridesOf, viewAbout } from '../../../graph/dims.js';
import { isSame } from '../../../graph/guards.js';
import { add, multiply, product, type Size } from '../../../graph/sizes.js';
import type { Along } from '../../../primitives/along.js';
import { concat } from '../../../primitives/concat.js';
import { expand } from '../../../primitives/expand.js';
import { type Cut, slice, walkOf } from '../../../primitives/slice.js';
import { split } from '../../../primitives/split.js';
import { type TransposeParameters, transpose } from '../../../primitives/transpose.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { isWholeBytes } from '../../../tensor/strided.js';
import { type Lowering, type Lowerings, lowers } from '../lowering.js';
import { copyStrided } from './strided-copy.js';

/** Whether the slice is contiguous in memory. */
function isRun(cuts: readonly Cut<Size>[], dims: readonly Size[]): boolean {
  const last = cuts.findLastIndex(({ length }, axis) => !isSame(length, dims[axis] as Size));
  return cuts.every(({ step, length }, axis) => isSame(length, 1) || (step === 1 && axis >= last));
}

const bytesOf = (elements: Size, element: ElementType): Size => multiply(elements, ELEMENTS[element].bits / 8);

function lowerSlice(c: Lowering, cuts: readonly Cut<Size>[]): 'host' | undefined {
  const element = c.element(0);
  if (!isWholeBytes(element)) return 'host';
  const dims = c.shape(0);
  const outDims = c.outputShape(0);
  const { offset, strides } = walkOf(cuts, dims);
  if (!isSame(product(outDims), 0) && isRun(cuts, dims)) {
    c.alias(0, 0, bytesOf(offset, element));
    return;
  }
  const to = { place: c.output(0), strides: stridesOf(outDims) };
  return copyStrided(c, element, outDims, { place: c.input(0), strides, offset }, to);
}

function lowerConcat(c: Lowering, { axis }: Along): 'host' | undefined {
  const element = c.element(0);
  if (!isWholeBytes(element)) return 'host';
  const { length, inner } = viewAbout(c.outputShape(0), axis);
  const pitch = c.outputPitch(0);
  let offset: Size = 0;
  for (let i = 0; i < c.inputCount; i++) {
    const part = viewAbout(c.shape(i), axis);
    const run = multiply(part.length, part.inner);
    const isThere = i === 0 && pitch !== undefined;
    const to = { place: c.output(0), strides: [multiply(pitch ?? length, inner), 1], offset };
    offset = add(offset, run);
    if (isThere || isSame(run, 0)) continue;
    const from = { place: c.input(i), strides: [run, 1] };
    copyStrided(c, element, [part.outer, run], from, to);
  }
}

function lowerSplit(c: Lowering, { axis, lengths }: OpenSplit): 'host' | undefined {
  const element = c.element(0);
  if (!isWholeBytes(element)) return 'host';
  const { outer, length, inner } = viewAbout(c.shape(0), axis);
  let offset: Size = 0;
  for (const [i, part] of lengths.entries()) {
    const run = multiply(part, inner);
    const from = { place: c.input(0), strides: [multiply(length, inner), 1], offset };
    if (c.wanted(i) && isSame(outer, 1) && !isSame(run, 0)) c.alias(i, 0, bytesOf(offset, element));
    else if (c.wanted(i)) copyStrided(c, element, [outer, run], from, { place: c.output(i), strides: [run, 1] });
    offset = add(offset, run);
  }
}

type OpenSplit = Along & { readonly lengths: readonly Size[] };

function lowerExpand(c: Lowering): 'host' | undefined {
  if (!isWholeBytes(c.element(0))) return 'host';
  const [from, to] = [c.shape(0), c.outputShape(0)];
  if (isSame(product(from), product(to))) {
    c.alias(0, 0);
    return;
  }
  const source = { place: c.input(0), strides: broadcastStrides(from, to) };
  return copyStrided(c, c.element(0), to, source, { place: c.output(0), strides: stridesOf(to) });
}

/** Whether the transpose moves only axes of size 1. */
function movesNothing(perm: readonly number[], dims: readonly Size[]): boolean {
  const moved = perm.filter((axis) => !isSame(dims[axis] as Size, 1));
  return moved.every((axis, i) => i === 0 || axis > (moved[i - 1] as number));
}

function lowerTranspose(c: Lowering, { perm }: TransposeParameters): 'host' | undefined {
  const dims = c.shape(0);
  if (movesNothing(perm, dims) || isSame(product(dims), 0)) {
    c.alias(0, 0);
    return;
  }
  const strides = stridesOf(dims);
  const outDims = c.outputShape(0);
  const from = { place: c.input(0), strides: perm.map((axis) => strides[axis] as Size) };
  return copyStrided(c, c.element(0), outDims, from, { place: c.output(0), strides: stridesOf(outDims) });
}

export const copies: Lowerings = {
  ...lowers(concat, lowerConcat),
  ...lowers(expand, lowerExpand),
  ...lowers(slice, lowerSlice),
  ...lowers(split, lowerSplit),
  ...lowers(transpose, lowerTranspose),
};
