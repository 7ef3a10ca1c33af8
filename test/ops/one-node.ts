import * as assert from 'uvu/assert';
import type { AttributeInputs } from '../../src/builder/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { sessionsOf } from './stages.js';

interface NodeCase {
  /** `null`: left out. */
  readonly inputs?: readonly (TensorValue | null)[];
  readonly attributes?: AttributeInputs;
  readonly outputs?: number;
  readonly opset?: number;
}

/** The outputs of a model of one node, which must be the same in every stage. */
export async function runNode(
  op: string,
  { inputs = [], attributes = {}, outputs = 1, opset = 21 }: NodeCase,
): Promise<TensorValue[]> {
  const sessions = await sessionsOf((b) => {
    const values = inputs.map((input, i) => input && b.input(`x${i}`, input.type, input.dims));
    b.node(op, values, attributes, { outputs }).forEach((value, i) => {
      b.output(`y${i}`, value);
    });
  }, opset);
  const feeds = Object.fromEntries(
    inputs.flatMap((input, i): [string, TensorValue][] => (input ? [[`x${i}`, input]] : [])),
  );
  const results: TensorValue[][] = [];
  for (const [, session] of sessions) {
    const named = await session.run(feeds);
    results.push(Array.from({ length: outputs }, (_, i) => named[`y${i}`] as TensorValue));
    await session.release();
  }
  const [first, ...others] = results as [TensorValue[], ...TensorValue[][]];
  for (const other of others) assert.equal(other, first);
  return first;
}
