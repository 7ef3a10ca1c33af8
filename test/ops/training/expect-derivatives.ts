import * as assert from 'uvu/assert';
import { type ModelBuilder, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import { elementCount, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { STAGES } from '../stages.js';

export type Variables = Readonly<Record<string, TensorValue>>;

const TRAINING = 'ai.onnx.preview.training';

/** Steps of the differences, and how far they may be off relative to the largest derivative. */
const PRECISION = {
  float64: { step: 1e-5, tolerance: 1e-6 },
  float32: { step: 2 ** -6, tolerance: 2e-3 },
} as const;

/** Adds a Gradient node whose results become the outputs `d x`. */
export function differentiate(b: ModelBuilder, xs: readonly Value[], y: Value): void {
  const options = { domain: TRAINING, outputs: xs.map(({ name }) => `d ${name}`) };
  for (const [i, value] of b.node('Gradient', xs, { xs: xs.map(({ name }) => name), y: y.name }, options).entries())
    b.output(`d ${xs[i]?.name}`, value);
}

/** The derivatives of a weighted sum, before opset 11 the sum of sines, of what `build` makes must be what central differences say of every variable. */
export async function expectDerivatives(
  variables: Variables,
  opset: number,
  build: (b: ModelBuilder, inputs: Value[]) => readonly Value[],
  ownStep?: number,
): Promise<void> {
  const b = modelBuilder({ opset, opsets: { [TRAINING]: 1, 'ai.onnx.ml': 5, 'ai.onnx.preview': 1 } });
  const inputs = Object.entries(variables).map(([name, { type, dims }]) => b.input(name, type, dims));
  const weighted = build(b, inputs).map((value, i) =>
    b.op('ReduceSum', [opset < 11 ? b.op('Sin', [value]) : b.op('Mul', [value, weightsOf(b, value, i, variables)])], {
      keepdims: 0,
    }),
  );
  const y = b.output('y', weighted.length > 1 ? b.op('Sum', weighted) : (weighted[0] as Value));
  differentiate(b, inputs, y);
  const sessions: [string, InferenceSession][] = [];
  for (const [stage, options] of Object.entries(STAGES))
    sessions.push([stage, await InferenceSession.create(b.toBytes(), options)]);
  const { type } = Object.values(variables)[0] as TensorValue;
  const { step: usual, tolerance } = PRECISION[type as keyof typeof PRECISION];
  const step = ownStep ?? usual;
  for (const [stage, session] of sessions) {
    const results = await session.run(variables);
    for (const [name, x] of Object.entries(variables)) {
      const expected = await differences(session, variables, name, step);
      const actual = (results[`d ${name}`] as TensorValue).data as Float64Array;
      assert.is(actual.length, expected.length, `${stage}: d ${name}`);
      const scale = Math.max(1, ...expected.map(Math.abs));
      expected.forEach((value, i) => {
        const off = Math.abs((actual[i] as number) - value);
        assert.ok(
          off <= tolerance * scale,
          `${stage}: d ${name}[${x.dims}] at ${i} is ${actual[i]}, differences say ${value}`,
        );
      });
    }
  }
}

/** Different weights for the results, so that no derivative hides behind another: cos 0, cos 1, cos 2 … */
function weightsOf(b: ModelBuilder, value: Value, i: number, variables: Variables): Value {
  const { type } = Object.values(variables)[0] as TensorValue;
  const constant = (name: string, data: TensorValue) => b.constant(`${name}${i}`, data);
  const count = b.op('Size', [value]);
  const line = b.op('Range', [
    constant('zero', tensor('int64', [], [0])),
    count,
    constant('one', tensor('int64', [], [1])),
  ]);
  const floats = b.op('Cast', [line], { to: type === 'float64' ? 11 : 1 });
  return b.op('Reshape', [b.op('Cos', [floats]), b.op('Shape', [value])]);
}

async function differences(
  session: InferenceSession,
  variables: Variables,
  name: string,
  step: number,
): Promise<number[]> {
  const x = variables[name] as TensorValue;
  const at = async (i: number, by: number) => {
    const data = (x.data as Float64Array).slice();
    data[i] = (data[i] as number) + by;
    const { y } = await session.run({ ...variables, [name]: { ...x, data } }, ['y']);
    return (y as TensorValue).data[0] as number;
  };
  const slopes: number[] = [];
  for (let i = 0; i < elementCount(x.dims); i++) slopes.push(((await at(i, step)) - (await at(i, -step))) / (2 * step));
  return slopes;
}
