import * as assert from 'uvu/assert';
import { InferenceSession, Tensor } from '../../../src/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { checkModel, type Model, saveModel } from '../../../src/tools/index.js';
import { hasNative } from '../quantize/runs.js';

type Values = Readonly<Record<string, TensorValue>>;

/** What the checker has against a model. */
export async function assertSound(model: Model): Promise<void> {
  const issues = await checkModel(model, { full: true });
  const errors = issues.filter(({ severity }) => severity === 'error');
  assert.equal(
    errors.map(({ path, message }) => `${path}: ${message}`),
    [],
  );
}

export async function runHere(model: Uint8Array, feeds: Values): Promise<Values> {
  const session = await InferenceSession.create(model);
  const given = Object.entries(feeds).map(([name, { type, data, dims }]) => [
    name,
    new Tensor(type as 'float32', data as Float32Array, dims),
  ]);
  const results = await session.run(Object.fromEntries(given));
  await session.release();
  return results as unknown as Values;
}

async function runThere(model: Uint8Array, feeds: Values): Promise<Values> {
  const { OPTIONS, runtime } = await import('../../contrib/runtime.js');
  const session = await runtime.InferenceSession.create(model, OPTIONS);
  const given = Object.entries(feeds).map(([name, { type, data, dims }]) => [
    name,
    new runtime.Tensor(type, data, dims),
  ]);
  const results = await session.run(Object.fromEntries(given));
  await session.release();
  return results;
}

const numbers = ({ data }: TensorValue) => Array.from(data as ArrayLike<number>, Number);

/** The same sizes, and numbers within 1e-5, relative where they are large. */
export function assertClose(
  found: TensorValue | undefined,
  expected: TensorValue,
  what: string,
  tolerance = 1e-5,
): void {
  assert.ok(found, `${what}: there is no such output`);
  assert.equal([...found.dims], [...expected.dims], `${what}: sizes`);
  const [left, right] = [numbers(found), numbers(expected)];
  for (const [i, value] of right.entries()) {
    const other = left[i] as number;
    const isSame =
      Object.is(other, value) || other === value || Math.abs(other - value) <= tolerance * Math.max(1, Math.abs(value));
    assert.ok(isSame, `${what}[${i}] is ${other}, not ${value}`);
  }
}

export const RUNTIMES = [['sardonyx', runHere], ...(hasNative ? [['onnxruntime', runThere] as const] : [])] as const;

/** A model says, in this runtime and, where that is installed, in onnxruntime, what was expected. */
export async function assertRuns(
  model: Model,
  feeds: Values,
  expected: readonly (readonly [string, TensorValue])[],
  tolerance?: number,
): Promise<void> {
  await assertSound(model);
  const bytes = await saveModel(model);
  for (const [who, run] of RUNTIMES) {
    const results = await run(bytes as Uint8Array, feeds);
    for (const [name, value] of expected) assertClose(results[name], value, `${who}: ${name}`, tolerance);
  }
}
