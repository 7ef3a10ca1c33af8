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
  /** The inputs are constants of the model, which the host computes on. */
  readonly constant?: boolean;
  /** The sizes of fed inputs are not known before the run. */
  readonly symbolic?: boolean;
}

/** The outputs of a model of one node, which must be the same in every stage. */
export async function runNode(
  op: string,
  { inputs = [], attributes = {}, outputs = 1, opset = 21, constant = false, symbolic = false }: NodeCase,
): Promise<TensorValue[]> {
  const sessions = await sessionsOf((b) => {
    const values = inputs.map((input, i) => {
      if (!input || constant) return input && b.constant(`x${i}`, input);
      return b.input(`x${i}`, input.type, symbolic ? input.dims.map((_, axis) => `d${i}_${axis}`) : input.dims);
    });
    b.node(op, values, attributes, { outputs }).forEach((value, i) => {
      b.output(`y${i}`, value);
    });
  }, opset);
  const feeds = Object.fromEntries(
    inputs.flatMap((input, i): [string, TensorValue][] => (input && !constant ? [[`x${i}`, input]] : [])),
  );
  const results: TensorValue[][] = [];
  for (const [, session] of sessions) {
    const named = await session.run(feeds);
    results.push(Array.from({ length: outputs }, (_, i) => plain(named[`y${i}`] as TensorValue)));
    await session.release();
  }
  const [first, ...others] = results as [TensorValue[], ...TensorValue[][]];
  for (const other of others) assert.equal(other, first);
  return first;
}

/** The value without the class it came in, for comparisons. */
const plain = ({ type, dims, data }: TensorValue): TensorValue => ({ type, dims, data });
