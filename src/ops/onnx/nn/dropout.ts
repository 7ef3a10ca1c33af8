import { tensorType } from '../../../graph/types.js';
import { dropout as primitive } from '../../../primitives/dropout.js';
import { type AttributeSpecs, float, int, ints } from '../../../schema/attributes.js';
import { by, defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { BOOL, FLOAT8, FLOATS } from '../../../schema/element-sets.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import type { HostValue, TensorValue } from '../../../tensor/tensor-value.js';
import { uniformDoubles } from '../generator/mersenne-twister.js';

const ELEMENTS = [...FLOATS, ...FLOAT8];

/** The fraction of elements that training drops; 0 in inference. */
function dropped(c: Inference<unknown>): number {
  if (!c.contents(2)?.data[0]) return 0;
  const ratio = c.contents(1);
  return ratio ? (numbersOf(ratio)[0] as number) : 0.5;
}

/** Drops elements at random and scales the others up. */
function train(x: TensorValue, ratio: number, seed: number): TensorValue[] {
  const draw = uniformDoubles(seed);
  const values = Float64Array.from(numbersOf(x));
  const mask = Uint8Array.from(values, () => Number(draw() >= ratio));
  const data = tensorOf(
    x.type,
    x.dims,
    values.map((v, i) => (mask[i] ? v / (1 - ratio) : 0)),
  );
  return [data, { type: 'bool', dims: x.dims, data: mask }];
}

/** Defines a version of Dropout; training runs in JavaScript. */
function version(since: number, signature: string, attributes: AttributeSpecs, boolMask: boolean) {
  const maskOf = (c: Inference<unknown>) => (boolMask ? 'bool' : c.element(0));
  return defineOp({
    name: 'Dropout',
    since,
    signature,
    types: { T: ELEMENTS, T1: ELEMENTS, T2: BOOL },
    attributes,
    planned: [1, 2],
    deterministic: false,
    guarded: true,
    infer: (c) => [c.type(0), tensorType(maskOf(c), c.dims(0))],
    evaluate(c: Evaluation<{ readonly seed?: number }>): HostValue[] {
      const ratio = dropped(c);
      if (ratio > 0) return train(c.tensor(0), ratio, c.attributes.seed ?? Math.floor(Math.random() * 2 ** 32));
      return primitive.reference(c, true);
    },
    computes: by(primitive, (c: Inference<unknown>) => (dropped(c) > 0 ? undefined : (true as const))),
  });
}

const ratio = { ratio: float(0.5) };

/** https://onnx.ai/onnx/operators/onnx__Dropout.html */
export const dropout = [
  version(12, 'data: T, ratio?: T1, training_mode?: T2 -> output: T, mask?: T2', { seed: int() }, true),
  version(10, 'data: T -> output: T, mask?: T2', ratio, true),
  version(1, 'data: T -> output: T, mask?: T', { ...ratio, is_test: int(0), consumed_inputs: ints() }, false),
];
