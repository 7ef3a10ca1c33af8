// Asks onnxruntime-node for the results of cases/, and keeps both in expected/: npm run witness [-- Operator …]

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadGroups } from '../../src/groups/load-groups.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { type Case, feedsOf, modelOf, type OperatorCases } from './case.js';
import { OPTIONS, runtime, version } from './runtime.js';
import { type StoredCase, stored } from './stored.js';

const DEFAULT_TOLERANCE = { relative: 1e-4, absolute: 1e-5 };

const AS_WRITTEN = { ...OPTIONS, graphOptimizationLevel: 'disabled' };

const toNative = ({ type, data, dims }: TensorValue) => new runtime.Tensor(type, data, dims);

const sorted = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The model as onnxruntime saves it at a level of optimization. */
async function saved(model: Uint8Array, graphOptimizationLevel: string): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'witness-'));
  const optimizedModelFilePath = join(folder, 'model.onnx');
  try {
    const options = { ...OPTIONS, graphOptimizationLevel, optimizedModelFilePath };
    await (await runtime.InferenceSession.create(model, options)).release();
    return new Uint8Array(readFileSync(optimizedModelFilePath));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function witnessed(operator: OperatorCases, c: Case): Promise<StoredCase> {
  const written = modelOf(operator, c);
  const model = operator.savedAt ? await saved(written, operator.savedAt) : written;
  const feeds = feedsOf(c);
  const session = await runtime.InferenceSession.create(model, AS_WRITTEN);
  const results = await session.run(
    Object.fromEntries(Object.entries(feeds).map(([name, value]) => [name, toNative(value)])),
  );
  const expected = Object.fromEntries(
    Object.entries(results).map(([name, { type, dims, data }]) => [
      name,
      { type, dims: [...dims], data } as TensorValue,
    ]),
  );
  const kept = {
    label: c.label,
    model: Buffer.from(model).toString('base64'),
    feeds: stored(feeds),
    expected: stored(sorted(expected)),
  };
  await session.release();
  return kept;
}

async function writeExpected(file: string): Promise<void> {
  const { operator } = (await import(new URL(`cases/${file}`, import.meta.url).href)) as { operator: OperatorCases };
  const { op, domain = 'com.microsoft', tolerance = DEFAULT_TOLERANCE, cases } = operator;
  const kept: StoredCase[] = [];
  let refused = 0;
  for (const c of cases) {
    try {
      kept.push(await witnessed(operator, c));
    } catch (error) {
      refused++;
      console.log(`${file} "${c.label}": ${(error as Error).message}`);
    }
  }
  const text = JSON.stringify({ op, domain, witness: `onnxruntime-node ${version}`, tolerance, cases: [] }).replace(
    '[]',
    () => `[\n${kept.map((c) => JSON.stringify(c)).join(',\n')}\n]`,
  );
  writeFileSync(new URL(`expected/${file.replace(/ts$/, 'json')}`, import.meta.url), `${text}\n`);
  console.log(`${file}: ${kept.length} cases, ${refused} refused, ${Math.ceil(text.length / 1024)} KB`);
}

const wanted = process.argv.slice(2);
await loadGroups();
const files = readdirSync(new URL('cases/', import.meta.url)).filter(
  (file) => wanted.length === 0 || wanted.includes(file.replace(/\.ts$/, '')),
);
for (const file of files) await writeExpected(file);
