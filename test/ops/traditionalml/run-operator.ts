import * as assert from 'uvu/assert';
import type { AttributeInputs } from '../../../src/builder/index.js';
import { modelBuilder } from '../../../src/builder/index.js';
import type { ValueType } from '../../../src/graph/types.js';
import { InferenceSession } from '../../../src/index.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../../src/tensor/tensor-value.js';

/** One node of ai.onnx.ml. */
export interface MlNode {
  readonly op: string;
  readonly attributes?: AttributeInputs;
  readonly version?: number;
  /** Number of outputs. */
  readonly outputs?: number;
  /** Types of the inputs that are not tensors. */
  readonly types?: readonly ValueType[];
}

const LEVELS = ['disabled', 'all'] as const;

/** The node's outputs as the model says it and optimized, batches of open size; both must be the same. */
export async function runNode(node: MlNode, ...inputs: readonly HostValue[]): Promise<HostValue[]> {
  const { op, attributes = {}, version = 5, outputs = 1, types = [] } = node;
  const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.ml': version } });
  const values = inputs.map((value, i) => {
    if (!isTensorValue(value)) return b.input(`x${i}`, types[i] as ValueType);
    return b.input(`x${i}`, value.type, [`rows${i}`, ...value.dims.slice(1)].slice(0, value.dims.length));
  });
  const names = Array.from({ length: outputs }, (_, i) => `y${i}`);
  const made = b.node(op, values, attributes, { domain: 'ai.onnx.ml', outputs: names });
  for (const [i, name] of names.entries()) b.output(name, made[i] as never);
  const feeds = Object.fromEntries(inputs.map((value, i) => [`x${i}`, value]));
  const [raw, optimized] = await Promise.all(
    LEVELS.map(async (graphOptimizationLevel) => {
      const session = await InferenceSession.create(b.toBytes(), { graphOptimizationLevel });
      const results = await session.run(feeds);
      return names.map((name) => results[name] as HostValue);
    }),
  );
  assert.equal(optimized, raw);
  return raw as HostValue[];
}

/** Type and dims are equal; numbers agree within `tolerance`, other elements are the same. */
export function assertTensor(actual: HostValue | undefined, expected: TensorValue, tolerance = 1e-6): void {
  const a = actual as TensorValue;
  assert.is(`${a.type}[${a.dims}]`, `${expected.type}[${expected.dims}]`);
  assert.is(a.data.length, expected.data.length);
  for (const [i, e] of Array.from(expected.data as Iterable<unknown>).entries()) {
    const x = a.data[i] as unknown;
    const near = typeof x === 'number' && Math.abs(x - (e as number)) <= tolerance;
    assert.ok(Object.is(x, e) || near, `element ${i} is ${x}, not ${e}`);
  }
}
