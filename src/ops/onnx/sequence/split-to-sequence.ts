import { stridesOf } from '../../../graph/dims.js';
import type { Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import { axisOf } from '../../../schema/shapes.js';
import { evaluateStrided } from '../../../tensor/strided.js';
import { integers } from '../../../tensor/tensor-value.js';
import { sequenceOf } from './elements.js';

interface Attributes {
  readonly axis: number;
  readonly keepdims: number;
}

/** Lengths of the parts of an axis of `length`: 1 each, one number for all but the last, or a list. */
function partsOf(c: Evaluation<Attributes>, length: number): number[] {
  if (!c.given(1)) return new Array<number>(length).fill(1);
  const split = c.tensor(1);
  const lengths = integers(split);
  if (split.dims.length > 0) {
    const isWhole = lengths.every((part) => part >= 0) && lengths.reduce((sum, part) => sum + part, 0) === length;
    return isWhole ? lengths : c.fail('INVALID_VALUE', `split [${lengths}] does not add up to ${length}`);
  }
  const [part = 0] = lengths;
  if (part <= 0) c.fail('INVALID_VALUE', `split must be positive, not ${part}`);
  return Array.from({ length: Math.ceil(length / part) }, (_, i) => Math.min(part, length - i * part));
}

/** The length that all parts share, if known. */
function partOf(c: Inference<Attributes>, length: Size): Size {
  if (!c.given(1)) return 1;
  const split = c.contents(1);
  const lengths = split && integers(split);
  if (split?.dims.length === 0 && (lengths?.[0] as number) < 1)
    c.fail('INVALID_VALUE', `split must be positive, not ${lengths}`);
  const [part = 0] = lengths ?? [];
  const isWhole = split?.dims.length === 0 ? typeof length === 'number' && length % part === 0 : part > 0;
  return isWhole && lengths?.every((other) => other === part) ? part : c.unknown();
}

/** Without `split`, each part is one slice, and keepdims may drop its axis. */
const dropsAxis = (c: Inference<Attributes>) => !c.given(1) && c.attributes.keepdims === 0;

/** https://onnx.ai/onnx/operators/onnx__SplitToSequence.html */
export const splitToSequence = defineOp({
  name: 'SplitToSequence',
  since: 11,
  signature: 'input: T, split?: I -> output_sequence: seq(T)',
  types: { T: ANY, I: INDICES },
  attributes: { axis: int(0), keepdims: int(1) },
  infer(c) {
    const dims = c.dims(0);
    if (!dims) return [sequenceOf(tensorType(c.element(0)))];
    const axis = axisOf(c, c.attributes.axis, dims.length);
    const of = dropsAxis(c) ? dims.toSpliced(axis, 1) : dims.with(axis, partOf(c, dims[axis] as Size));
    return [sequenceOf(tensorType(c.element(0), of))];
  },
  evaluate(c) {
    const x = c.tensor(0);
    const axis = axisOf(c, c.attributes.axis, x.dims.length);
    const strides = stridesOf(x.dims);
    let start = 0;
    const parts = partsOf(c, x.dims[axis] as number).map((length) => {
      const part = evaluateStrided(x, x.dims.with(axis, length), strides, start * (strides[axis] as number));
      start += length;
      return dropsAxis(c) ? { ...part, dims: part.dims.toSpliced(axis, 1) } : part;
    });
    return [parts];
  },
});
