// Asks onnxruntime-node for the results of cases/ and models/, and keeps them in expected/ and expected-runs/:
// npm run witness [-- Operator or model …]

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadGroups } from '../../src/groups/load-groups.js';
import { copyOf, type TensorValue } from '../../src/tensor/tensor-value.js';
import { type Case, feedsOf, modelOf, type OperatorCases } from './case.js';
import { type ModelRuns, runInTurn } from './model-runs.js';
import { OPTIONS, type Runtime, runtime, version } from './runtime.js';
import { DEFAULT_TOLERANCE, type StoredCase, type StoredRuns, stored } from './stored.js';

const AS_WRITTEN = { ...OPTIONS, graphOptimizationLevel: 'disabled' };

type Session = Awaited<ReturnType<Runtime['InferenceSession']['create']>>;

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

async function runOn(
  session: Session,
  feeds: Readonly<Record<string, TensorValue>>,
  { outputs = [0], overwrites = {} }: Partial<Case> = {},
) {
  const natives = Object.fromEntries(Object.entries(feeds).map(([name, value]) => [name, toNative(copyOf(value))]));
  const places = outputs.map((i) => [`y${i}`, i in overwrites ? natives[`x${overwrites[i]}`] : null]);
  const isElsewhere = Object.keys(overwrites).length > 0;
  const results = await session.run(natives, ...(isElsewhere ? [Object.fromEntries(places)] : []));
  return Object.fromEntries(
    Object.entries(results).map(([name, { type, dims, data }]) => [
      name,
      { type, dims: [...dims], data } as TensorValue,
    ]),
  );
}

async function witnessed(operator: OperatorCases, c: Case): Promise<StoredCase> {
  const written = modelOf(operator, c);
  const model = operator.savedAt ? await saved(written, operator.savedAt) : written;
  const feeds = feedsOf(c);
  const session = await runtime.InferenceSession.create(model, AS_WRITTEN);
  const expected = await runOn(session, feeds, c);
  const kept = {
    label: c.label,
    model: Buffer.from(model).toString('base64'),
    feeds: stored(feeds),
    expected: stored(sorted(expected)),
    ...(c.tolerance && { tolerance: c.tolerance }),
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

async function writeRuns(file: string): Promise<void> {
  const { models } = (await import(new URL(`models/${file}`, import.meta.url).href)) as { models: ModelRuns[] };
  const all: Record<string, StoredRuns> = {};
  for (const model of models) {
    const session = await runtime.InferenceSession.create(model.bytes(), AS_WRITTEN);
    const results = await runInTurn(model, (feeds) => runOn(session, feeds));
    await session.release();
    all[model.name] = {
      witness: `onnxruntime-node ${version}`,
      expected: results.map((values) => stored(sorted(values))),
    };
  }
  writeFileSync(new URL(`expected-runs/${file.replace(/ts$/, 'json')}`, import.meta.url), `${JSON.stringify(all)}\n`);
  console.log(`${file}: ${models.length} models`);
}

const wanted = process.argv.slice(2);
await loadGroups();
const filesIn = (folder: string) =>
  readdirSync(new URL(folder, import.meta.url)).filter(
    (file) => wanted.length === 0 || wanted.includes(file.replace(/\.ts$/, '')),
  );
for (const file of filesIn('cases/')) await writeExpected(file);
for (const file of filesIn('models/')) await writeRuns(file);
