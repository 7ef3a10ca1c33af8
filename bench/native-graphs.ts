// Runs random models in onnxruntime-node, one after another, and sends the results to the parent process; see graphs.ts.
import { loadGroups } from '../src/groups/load-groups.js';
import { type HostValue, isTensorValue, type TensorValue } from '../src/tensor/tensor-value.js';
import { generate } from '../test/fuzz/graphs/generate.js';
import type { Mode } from '../test/fuzz/graphs/modes.js';
import { printed } from '../test/fuzz/graphs/print.js';
import { caseOf, findingIn, type Runner } from '../test/fuzz/graphs/trial.js';
import { type Api, load, runtime } from './runtimes.js';

/** The result for one model, and the model as a program if it differs. */
export interface Verdict {
  readonly verdict: 'agrees' | 'refuses' | 'differs';
  readonly message?: string;
  readonly program?: string;
}

const NATIVE: Mode = { name: 'onnxruntime-node', options: {} };
const [first, end] = process.argv.slice(2).map(Number) as [number, number];
const { InferenceSession, Tensor } = await load('onnxruntime-node');
const options = runtime('onnxruntime-node').options(1);

type Native = InstanceType<Api['Tensor']>;

const toNative = (value: HostValue): Native => {
  if (!isTensorValue(value)) throw new Error('its binding takes tensors alone');
  const { type, dims, data } = value;
  return new Tensor(type as 'float32', data as Float32Array, dims);
};

const fromNative = ({ type, dims, data }: Native) => ({ type, dims, data }) as TensorValue;

const each = <T, U>(values: Readonly<Record<string, T>>, f: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, f(value)]));

async function open(_: Mode, bytes: Uint8Array): Promise<Runner> {
  const session = await InferenceSession.create(bytes, options);
  return {
    async run(feeds) {
      const results = await session.run(each(feeds, toNative));
      return each(results as Readonly<Record<string, Native>>, fromNative);
    },
    release: () => session.release(),
  };
}

async function verdictOf(seed: number): Promise<Verdict> {
  const { program, feeds } = await generate(seed);
  const c = await caseOf(program, feeds);
  const finding = await findingIn(NATIVE, c, open);
  if (!finding) return { verdict: 'agrees' };
  const { kind, message } = finding;
  if (kind !== 'wrong') return { verdict: 'refuses', message };
  return { verdict: 'differs', message, program: await printed({ case: c, finding, rewrites: undefined }, seed) };
}

await loadGroups();
for (let seed = first; seed < end; seed++) {
  const verdict = await verdictOf(seed);
  await new Promise((resolve) => process.send?.(verdict, resolve));
}
process.disconnect();
