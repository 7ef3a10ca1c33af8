import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../src/session/inference-session.js';
import type { SessionOptions } from '../../src/session/options.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { difference } from '../conformance/compare.js';
import { type ModelRuns, runInTurn } from './model-runs.js';
import { DEFAULT_TOLERANCE, read, type StoredRuns } from './stored.js';

const test = suite('models whose runs follow each other, as onnxruntime has them');

const MODES: Readonly<Record<string, SessionOptions>> = {
  raw: { graphOptimizationLevel: 'disabled' },
  optimized: {},
  reference: { executionProviders: ['reference'] },
};

const plain = ({ type, dims, data }: TensorValue) => ({ type, dims, data }) as TensorValue;

for (const file of readdirSync(new URL('models/', import.meta.url))) {
  const { models } = (await import(new URL(`models/${file}`, import.meta.url).href)) as {
    models: readonly ModelRuns[];
  };
  const stored = JSON.parse(
    readFileSync(new URL(`expected-runs/${file.replace(/ts$/, 'json')}`, import.meta.url), 'utf8'),
  ) as Readonly<Record<string, StoredRuns>>;
  for (const model of models)
    for (const [mode, options] of Object.entries(MODES))
      test(`${model.name}, ${mode}`, async () => {
        const session = await InferenceSession.create(model.bytes(), options);
        const results = await runInTurn(model, (feeds) => session.run(feeds) as never);
        await session.release();
        const expected = (stored[model.name] as StoredRuns).expected.map(read);
        assert.is(results.length, expected.length);
        const wrong = expected.flatMap((outputs, run) =>
          Object.entries(outputs).flatMap(([name, value]) => {
            const found = difference(
              plain(results[run]?.[name] as TensorValue),
              value,
              model.tolerance ?? DEFAULT_TOLERANCE,
            );
            return found ? [`run ${run}, ${name}: ${found}`] : [];
          }),
        );
        assert.equal(wrong, []);
      });
}

test.run();
