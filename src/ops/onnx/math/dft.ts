import { account } from '../../../account.js';
import type { Size } from '../../../graph/sizes.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { FLOATS, INDICES } from '../../../schema/element-sets.js';
import { axisOf, like, numberAt } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { aboutAxis } from '../../../tensor/rows.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { complexes, fourierTransform, onesidedLength, STEPS_PER_POINT, swapped } from './fft.js';

interface Attributes {
  readonly inverse: number;
  readonly onesided: number;
}

interface Plan {
  readonly axis: number;
  /** Points of the transform; undefined if unknown. */
  readonly length: number | undefined;
  /** The signal is real, and only the first half of its spectrum is stored. */
  readonly isHalf: boolean;
  readonly isInverse: boolean;
}

function planOf<A extends Attributes>(
  c: Inference<A>,
  dims: readonly Size[],
  axisAt: (c: Inference<A>) => number,
): Plan {
  const rank = dims.length;
  const isHalf = Boolean(c.attributes.onesided);
  const isInverse = Boolean(c.attributes.inverse);
  const parts = dims.at(-1);
  if (rank < 2 || (typeof parts === 'number' && parts !== 1 && parts !== 2))
    c.fail('INVALID_SHAPE', `input 0 must be […, 1] (real) or […, 2] (complex), not [${dims}]`);
  if (isHalf && !isInverse && parts === 2) c.fail('INVALID_SHAPE', 'onesided needs real signals, […, 1]');
  const axis = axisOf(c, axisAt(c), rank);
  if (axis === rank - 1) c.fail('INVALID_ATTRIBUTE', `axis ${axis} is the axis of real and imaginary parts`);
  const size = dims[axis];
  const own = typeof size !== 'number' ? undefined : isHalf && isInverse ? 2 * (size - 1) : size;
  const length = numberAt(c, 1) ?? own;
  if (length !== undefined && length < 1) c.fail('INVALID_VALUE', `dft_length must be positive, not ${length}`);
  return { axis, length, isHalf, isInverse };
}

function outputDims(c: Inference<unknown>, dims: readonly Size[], { axis, length, isHalf, isInverse }: Plan): Size[] {
  const points = length !== undefined && isHalf && !isInverse ? onesidedLength(length) : length;
  return [...dims.with(axis, points ?? c.unknown()).slice(0, -1), isHalf && isInverse ? 1 : 2];
}

function transform<A extends Attributes>(c: Evaluation<A>, axisAt: (c: Inference<A>) => number) {
  const { type, dims, data } = c.tensor(0);
  const plan = planOf(c, dims, axisAt);
  const { axis, isHalf, isInverse } = plan;
  const length = plan.length as number;
  const result = outputDims(c, dims, plan) as number[];
  const { outer, length: given, inner } = aboutAxis(dims.slice(0, -1), axis);
  const points = result[axis] as number;
  const [from, to] = [dims.at(-1) as number, result.at(-1) as number];
  const numbers = numbersOf({ type, dims, data });
  const values = new Float64Array(elementCount(result));
  const x = complexes(length);
  const run = fourierTransform(length);
  const read = Math.min(given, isHalf && isInverse ? onesidedLength(length) : length);
  const scale = isInverse ? 1 / length : 1;
  for (let line = 0; line < outer * inner; line++) {
    const [o, i] = [Math.floor(line / inner), line % inner];
    account()?.spend(STEPS_PER_POINT * length);
    x.re.fill(0);
    x.im.fill(0);
    for (let n = 0; n < read; n++) {
      const at = ((o * given + n) * inner + i) * from;
      x.re[n] = numbers[at] as number;
      if (from === 2) x.im[n] = numbers[at + 1] as number;
    }
    if (isHalf && isInverse) mirror(x.re, x.im);
    run(isInverse ? swapped(x) : x);
    for (let k = 0; k < points; k++) {
      const at = ((o * points + k) * inner + i) * to;
      values[at] = (x.re[k] as number) * scale;
      if (to === 2) values[at + 1] = (x.im[k] as number) * scale;
    }
  }
  return [tensorOf(type, result, values)];
}

/** Fills in the second half of a real signal's spectrum, the conjugate of the first. */
function mirror(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  im[0] = 0;
  if (n % 2 === 0) im[n / 2] = 0;
  for (let k = 1; k < n / 2; k++) {
    re[n - k] = re[k] as number;
    im[n - k] = -(im[k] as number);
  }
}

/** https://onnx.ai/onnx/operators/onnx__DFT.html; computed in double precision. */
export const dft = [
  defineOp({
    name: 'DFT',
    since: 20,
    signature: 'input: T1, dft_length?: T2, axis?: int64 -> output: T1',
    types: { T1: FLOATS, T2: INDICES },
    attributes: { inverse: int(0), onesided: int(0) },
    planned: [1, 2],
    infer: (c) => (c.given(2) && !c.hasContents(2) ? alongSomeAxis(c) : inferWith(c, axisInput)),
    evaluate: (c) => transform(c, axisInput),
  }),
  defineOp({
    name: 'DFT',
    since: 17,
    signature: 'input: T1, dft_length?: T2 -> output: T1',
    types: { T1: FLOATS, T2: INDICES },
    attributes: { axis: int(1), inverse: int(0), onesided: int(0) },
    planned: [1],
    infer: (c) => inferWith(c, (node) => node.attributes.axis),
    evaluate: (c) => transform(c, (node) => node.attributes.axis),
  }),
];

function axisInput(c: Inference<unknown>): number {
  return numberAt(c, 2) ?? -2;
}

function inferWith<A extends Attributes>(c: Inference<A>, axisAt: (c: Inference<A>) => number) {
  const dims = c.dims(0);
  return [like(c, 0, dims && outputDims(c, dims, planOf(c, dims, axisAt)))];
}

/** Output shape if the axis is unknown: any size may change. */
function alongSomeAxis(c: Inference<Attributes>) {
  const { inverse, onesided } = c.attributes;
  const parts = inverse && onesided ? 1 : 2;
  const isSame = !onesided && !c.given(1);
  return [
    like(
      c,
      0,
      c.dims(0)?.map((d, axis, { length }) => (axis === length - 1 ? parts : isSame ? d : c.unknown())),
    ),
  ];
}
