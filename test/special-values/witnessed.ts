import { type AttributeInput, modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';

const { NaN: NONE, POSITIVE_INFINITY: INFINITE } = Number;

/** A node on lists of numbers, for which IEEE 754, C or numpy say what comes of infinities, NaN and zeros. */
export interface Witnessed {
  readonly name: string;
  readonly op: string;
  readonly inputs: readonly { readonly type: 'float32' | 'float64'; readonly data: readonly number[] }[];
  readonly attributes: Readonly<Record<string, AttributeInput>>;
}

const SPECIAL = [NONE, INFINITE, -INFINITE, -0, 0, 1, -1, 0.5, -0.5, 1.5, -2.5, 100, -100];
const PAIRS = SPECIAL.flatMap((x) => SPECIAL.map((y) => [x, y] as const));

const UNARY = [
  'Abs',
  'Acos',
  'Acosh',
  'Asin',
  'Asinh',
  'Atan',
  'Atanh',
  'Ceil',
  'Cos',
  'Cosh',
  'Elu',
  'Erf',
  'Exp',
  'Floor',
  'IsInf',
  'IsNaN',
  'LeakyRelu',
  'Log',
  'Neg',
  'Reciprocal',
  'Relu',
  'Round',
  'Selu',
  'Sigmoid',
  'Sign',
  'Sin',
  'Sinh',
  'Softplus',
  'Softsign',
  'Sqrt',
  'Tan',
  'Tanh',
  'ThresholdedRelu',
  'HardSigmoid',
  'HardSwish',
];
const BINARY = [
  'Add',
  'Sub',
  'Mul',
  'Div',
  'Pow',
  'Min',
  'Max',
  'Equal',
  'Less',
  'LessOrEqual',
  'Greater',
  'GreaterOrEqual',
  'PRelu',
];

const unary = (op: string): Witnessed => ({
  name: op,
  op,
  inputs: [{ type: 'float32', data: SPECIAL }],
  attributes: {},
});
const binary = (op: string, attributes = {}): Witnessed => ({
  name: op,
  op,
  inputs: [0, 1].map((i) => ({ type: 'float32', data: PAIRS.map((pair) => pair[i] as number) })),
  attributes,
});

export const CASES: readonly Witnessed[] = [
  ...UNARY.map(unary),
  ...BINARY.map((op) => binary(op)),
  binary('Mod', { fmod: 1 }),
];

/** A model of it; inputs that `constants` has are constants. */
export function modelOf({ op, inputs, attributes }: Witnessed, isConstant = false): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const values = inputs.map(
    ({ type, data }, i): Value =>
      isConstant
        ? b.constant(`x${i}`, {
            type,
            dims: [data.length],
            data: (type === 'float64' ? Float64Array : Float32Array).from(data) as never,
          })
        : b.input(`x${i}`, type, [data.length]),
  );
  b.output('y', b.op(op, values, attributes));
  return b.toBytes();
}
