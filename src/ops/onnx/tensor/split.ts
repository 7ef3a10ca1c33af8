import { areDecided, differ } from '../../../graph/guards.js';
import { add, ceilDivide, formatSize, maximum, minimum, multiply, type Size, subtract } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { along } from '../../../primitives/along.js';
import { split as primitive } from '../../../primitives/split.js';
import { int, ints } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { axisOf } from '../../../schema/shapes.js';
import { numbersOf } from '../../../tensor/numbers.js';

interface SplitAttributes {
  readonly axis: number;
  readonly split?: readonly number[] | undefined;
}

const outputs = (c: Inference<unknown>) => Array.from({ length: c.outputCount }, (_, i) => i);

/** Lengths from an input, which has the type of the data in opset 1. */
function givenLengths(c: Inference<unknown>): number[] | undefined {
  const contents = c.contents(1);
  return contents && Array.from(numbersOf(contents));
}

/** Requested lengths; undefined splits evenly, with shorter last parts. */
function lengthsOf(c: Inference<SplitAttributes>): readonly Size[] | undefined {
  const { split } = c.attributes;
  return c.given(1) ? (c.sizes(1) ?? givenLengths(c) ?? split ?? outputs(c).map(() => c.unknown())) : split;
}

/** The length of each part of an axis of length `dim`. */
function partsOf(c: Inference<SplitAttributes>, dim: Size): Size[] {
  const lengths = lengthsOf(c);
  const count = c.outputCount;
  if (lengths) {
    if (lengths.length !== count)
      c.fail('INVALID_VALUE', `split [${lengths}] must have one length per output (${count})`);
    if (differ(add(...lengths), dim))
      c.fail('INVALID_VALUE', `split [${lengths}] does not add up to ${formatSize(dim)}`);
    return [...lengths];
  }
  const whole = ceilDivide(dim, count);
  const left = (i: number) => maximum(subtract(dim, multiply(whole, i)), 0);
  return outputs(c).map((i) => (i === 0 ? whole : minimum(left(i), whole)));
}

const rules = {
  guarded: true,
  infer(c: Inference<SplitAttributes>) {
    const dims = c.dims(0);
    if (!dims) return outputs(c).map(() => tensorType(c.element(0)));
    const axis = axisOf(c, c.attributes.axis, dims.length);
    const parts = partsOf(c, dims[axis] as Size);
    return parts.map((part) => tensorType(c.element(0), dims.with(axis, part)));
  },
  computes: by(primitive, (c: Inference<SplitAttributes>) => {
    const at = along(c);
    const lengths = at && partsOf(c, c.dims(0)?.[at.axis] as Size);
    return at && areDecided(lengths) ? { ...at, lengths: lengths as number[] } : undefined;
  }),
};

/** https://onnx.ai/onnx/operators/onnx__Split.html */
export const split = [
  defineOp({
    name: 'Split',
    since: 13,
    signature: 'input: T, split?: int64 -> outputs...: T',
    types: { T: ANY },
    attributes: { axis: int(0), num_outputs: int() },
    planned: [1],
    ...rules,
  }),
  defineOp({
    name: 'Split',
    since: 2,
    signature: 'input: T -> outputs...: T',
    types: { T: ANY },
    attributes: { axis: int(0), split: ints() },
    ...rules,
  }),
  defineOp({
    name: 'Split',
    signature: 'input: T, split?: T -> outputs...: T',
    types: { T: ANY },
    attributes: { axis: int(0), split: ints() },
    planned: [1],
    ...rules,
  }),
];
