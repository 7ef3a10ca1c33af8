import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import { differ } from '../../../graph/guards.js';
import { ceilDivide, isKnown, type Size } from '../../../graph/sizes.js';
import type { Decomposition, Inference } from '../../../schema/definition.js';
import { axisOf } from '../../../schema/shapes.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { aboutAxis } from '../../../tensor/rows.js';
import { castTo, emitOne, listOf, reshapeTo } from '../../emit.js';

export interface GranularityAttributes {
  readonly axis: number;
  readonly block_size: number;
}

/** Input `i`, a scale or zero point, converted to type `to`. */
export function parameterIn(c: Decomposition<unknown>, i: number, to: ElementType): Value {
  const known = c.contents(i);
  if (known) return known.type === to ? c.input(i) : c.constant(tensorOf(to, known.dims, numbersOf(known)));
  return c.element(i) === to ? c.input(i) : castTo(c, c.input(i), to);
}

/** Reshapes a list of parameters per row to a column. */
export function perRow(c: Decomposition<unknown>, dims: readonly Size[] | undefined): (value: Value) => Value {
  return (value) => (dims?.length === 1 && dims[0] !== 1 ? reshapeTo(c, value, [-1, 1]) : value);
}

const isScalar = (dims: readonly Size[]) => dims.every((d) => d === 1);

/**
 * Relates a scale or zero point of shape `dims` to input 0: per tensor, per position of an axis, or per block along that axis. Returns a
 * function that reshapes it so that it broadcasts; undefined if too little is known.
 */
export function granularity(
  c: Decomposition<GranularityAttributes>,
  dims: readonly Size[] | undefined,
): ((parameter: Value) => Value) | undefined {
  const x = c.dims(0);
  if (!x || !isKnown(dims)) return undefined;
  if (isScalar(dims)) return (parameter) => (dims.length > 0 ? reshapeTo(c, parameter, []) : parameter);
  const axis = axisOf(c, c.attributes.axis, x.length);
  const blockSize = c.attributes.block_size;
  const size = x[axis];
  // If it turned out to be 1, more scales would broadcast it.
  if (typeof size !== 'number') return undefined;
  if (blockSize === 0) {
    checkPerAxis(c, x, dims, axis);
    return (parameter) => reshapeTo(c, parameter, [-1, ...new Array<number>(x.length - axis - 1).fill(1)]);
  }
  checkBlocked(c, x, dims, axis);
  const blocks = Array.from({ length: size }, (_, i) => Math.floor(i / blockSize));
  return (parameter) => emitOne(c, 'Gather', [parameter, listOf(c, blocks)], { axis: intAttribute(axis) });
}

function checkPerAxis(c: Inference<unknown>, x: readonly Size[], dims: readonly Size[], axis: number): void {
  const [count] = dims;
  const size = x[axis];
  const fits = dims.length === 1 && !differ(count, size);
  if (!fits)
    c.fail(
      'INVALID_SHAPE',
      `scale or zero point [${dims}] must have one element, or one per position of axis ${axis} of [${x}]`,
    );
}

function checkBlocked(
  c: Inference<GranularityAttributes>,
  x: readonly Size[],
  dims: readonly Size[],
  axis: number,
): void {
  const { block_size } = c.attributes;
  const fits = dims.every((d, i) => {
    const size = i === axis ? ceilDivide(x[i] as Size, block_size) : x[i];
    return !differ(d, size);
  });
  if (dims.length !== x.length || !fits)
    c.fail(
      'INVALID_SHAPE',
      `scale or zero point [${dims}] does not match blocks of ${block_size} along axis ${axis} of [${x}]`,
    );
}

/** Checks that a scale or zero point of shape `scale` has a value for each element of `dims`. */
export function checkFit(c: Inference<GranularityAttributes>, dims: readonly number[], scale: readonly number[]): void {
  if (isScalar(scale)) return;
  const axis = axisOf(c, c.attributes.axis, dims.length);
  if (c.attributes.block_size) checkBlocked(c, dims, scale, axis);
  else checkPerAxis(c, dims, scale, axis);
}

/** Calls `visit` for every element of `dims` with its index and the index of its scale. */
export function eachWithScale(
  c: Inference<GranularityAttributes>,
  dims: readonly number[],
  scale: readonly number[],
  visit: (index: number, scale: number) => void,
): void {
  checkFit(c, dims, scale);
  if (isScalar(scale)) {
    const count = dims.reduce((n, d) => n * d, 1);
    for (let i = 0; i < count; i++) visit(i, 0);
    return;
  }
  const axis = axisOf(c, c.attributes.axis, dims.length);
  const { outer, length, inner } = aboutAxis(dims, axis);
  const { block_size } = c.attributes;
  for (let o = 0, index = 0; o < outer; o++) {
    for (let l = 0; l < length; l++) {
      const first = block_size ? (o * (scale[axis] as number) + Math.floor(l / block_size)) * inner : l;
      for (let i = 0; i < inner; i++, index++) visit(index, block_size ? first + i : first);
    }
  }
}
