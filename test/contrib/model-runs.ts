// Whole models, run several times in turn: which are in models/, what onnxruntime made of them in expected-runs/.

import type { TensorValue } from '../../src/tensor/tensor-value.js';
import type { Tolerance } from '../conformance/compare.js';

type Values = Readonly<Record<string, TensorValue>>;

export interface ModelRuns {
  readonly name: string;
  /** The ONNX file, of weights drawn from a seed: it is not stored. */
  readonly bytes: () => Uint8Array;
  readonly runs: readonly Values[];
  /** Inputs that are fed an output of the run before, from the second run on. */
  readonly carried: Readonly<Record<string, string>>;
  /** The outputs that are compared. */
  readonly compared: readonly string[];
  readonly tolerance?: Tolerance;
}

/** Runs it all on one session, and gives the compared outputs of every run. */
export async function runInTurn(
  { runs, carried, compared }: ModelRuns,
  run: (feeds: Values) => Promise<Values>,
): Promise<Values[]> {
  const all: Values[] = [];
  let last: Values = {};
  for (const [i, feeds] of runs.entries()) {
    const pairs = Object.entries(i > 0 ? carried : {}).map(([input, output]) => [input, last[output]]);
    last = await run({ ...feeds, ...Object.fromEntries(pairs) });
    all.push(Object.fromEntries(compared.map((name) => [name, last[name] as TensorValue])));
  }
  return all;
}
