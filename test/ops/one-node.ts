import * as assert from 'uvu/assert';
import type { AttributeInputs } from '../../src/builder/index.js';
import { numbersOf } from '../../src/tensor/numbers.js';
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
  for (const other of others) for (const [i, value] of other.entries()) assertSame(value, first[i] as TensorValue);
  return first;
}

/** Units in the last place of halves by which stages may differ: without the optimizer, a node's parts round in between. */
const HALF_STEPS: Readonly<Record<string, number>> = { float16: 2 ** -10, bfloat16: 2 ** -7 };

function assertSame(value: TensorValue, first: TensorValue): void {
  const step = HALF_STEPS[first.type];
  assert.equal(step ? [value.type, value.dims] : value, step ? [first.type, first.dims] : first);
  if (!step) return;
  const [found, wanted] = [numbersOf(value), numbersOf(first)];
  for (let i = 0; i < wanted.length; i++) {
    const [a, b] = [found[i] as number, wanted[i] as number];
    assert.ok(Object.is(a, b) || Math.abs(a - b) <= step * Math.abs(b), `${a} instead of ${b} at ${i}`);
  }
}

/** The value without the class it came in, for comparisons. */
const plain = ({ type, dims, data }: TensorValue): TensorValue => ({ type, dims, data });
