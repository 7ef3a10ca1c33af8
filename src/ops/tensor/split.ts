import { copyStrided } from '../../backends/wasm/lower/strided-copy.js';
import type { Lowering } from '../../backends/wasm/lowering.js';
import { derived, stridesOf } from '../../graph/dims.js';
import { type Dim, tensorType } from '../../graph/types.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { numbersOf } from '../../tensor/numbers.js';
import { int, ints } from '../attributes.js';
import { defineOp, type Evaluation, type Inference } from '../definition.js';
import { ANY } from '../element-sets.js';
import { aboutAxis } from '../rows.js';
import { axisOf } from '../shapes.js';
import { evaluateStrided, isWholeBytes } from '../strided.js';

interface Attributes {
  readonly axis: number;
}

/** Lengths asked for; undefined splits evenly, the last parts being what remains. */
type Lengths<A> = (c: Inference<A>) => readonly Dim[] | undefined;

const outputs = (c: Inference<unknown>) => Array.from({ length: c.outputCount }, (_, i) => i);

function partsOf<A>(c: Inference<A>, lengths: readonly Dim[] | undefined, dim: Dim): Dim[] {
  const count = c.outputCount;
  if (lengths) {
    if (lengths.length !== count)
      c.fail('INVALID_VALUE', `split [${lengths}] has not one length per output (${count})`);
    const sum = (lengths as number[]).reduce((a, b) => a + b, 0);
    if (typeof dim === 'number' && typeof sum === 'number' && sum !== dim)
      c.fail('INVALID_VALUE', `split [${lengths}] does not add up to ${dim}`);
    return [...lengths];
  }
  const lengthOf = (i: number, n: number) => {
    const most = Math.ceil(n / count);
    return Math.min(Math.max(n - i * most, 0), most);
  };
  return outputs(c).map((i) => derived(`part ${i}/${count}`, [dim], (n) => lengthOf(i, n)));
}

/** The rules of Split, given where its lengths stand. */
function splitting<A extends Attributes>(lengthsOf: Lengths<A>) {
  return {
    infer(c: Inference<A>) {
      const dims = c.dims(0);
      if (!dims) return outputs(c).map(() => tensorType(c.element(0)));
      const axis = axisOf(c, c.attributes.axis, dims.length);
      const parts = partsOf(c, lengthsOf(c), dims[axis] as Dim);
      return parts.map((part) => tensorType(c.element(0), dims.with(axis, part)));
    },
    evaluate(c: Evaluation<A>) {
      const x = c.tensor(0);
      const axis = axisOf(c, c.attributes.axis, x.dims.length);
      const strides = stridesOf(x.dims);
      let start = 0;
      return partsOf(c, lengthsOf(c), x.dims[axis] as number).map((part) => {
        const taken = evaluateStrided(x, x.dims.with(axis, part as number), strides, start * (strides[axis] as number));
        start += part as number;
        return taken;
      });
    },
    lower(c: Lowering<A>): 'host' | undefined {
      const element = c.element(0);
      if (!isWholeBytes(element)) return 'host';
      const dims = c.shape(0);
      const { outer, length, inner } = aboutAxis(dims, axisOf(c, c.attributes.axis, dims.length));
      const parts = partsOf(c, lengthsOf(c), length) as number[];
      let offset = 0;
      for (const [i, part] of parts.entries()) {
        const run = part * inner;
        const from = { place: c.input(0), strides: [length * inner, 1], offset };
        if (c.wanted(i) && outer === 1 && run > 0) c.alias(i, 0, (offset * ELEMENTS[element].bits) / 8);
        else if (c.wanted(i)) copyStrided(c, element, [outer, run], from, { place: c.output(i), strides: [run, 1] });
        offset += run;
      }
    },
  };
}

type ListedLengths = Attributes & { readonly split: readonly number[] | undefined };

/** The lengths that opset 1 takes as an input of the type of the data. */
function givenLengths(c: Inference<unknown>): number[] | undefined {
  const contents = c.given(1) ? c.contents(1) : undefined;
  return contents && Array.from(numbersOf(contents));
}

/** https://onnx.ai/onnx/operators/onnx__Split.html */
export const split = [
  defineOp({
    name: 'Split',
    since: 13,
    signature: 'input: T, split?: int64 -> outputs...: T',
    types: { T: ANY },
    attributes: { axis: int(0), num_outputs: int() },
    planned: [1],
    ...splitting((c) => (c.given(1) ? (c.sizes(1) ?? outputs(c).map(() => c.unknown())) : undefined)),
  }),
  defineOp({
    name: 'Split',
    since: 2,
    signature: 'input: T -> outputs...: T',
    types: { T: ANY },
    attributes: { axis: int(0), split: ints() },
    ...splitting<ListedLengths>((c) => c.attributes.split),
  }),
  defineOp({
    name: 'Split',
    signature: 'input: T, split?: T -> outputs...: T',
    types: { T: ANY },
    attributes: { axis: int(0), split: ints() },
    planned: [1],
    ...splitting<ListedLengths>((c) => {
      const lengths = givenLengths(c) ?? c.attributes.split;
      return lengths ?? (c.given(1) ? outputs(c).map(() => c.unknown()) : undefined);
    }),
  }),
];
