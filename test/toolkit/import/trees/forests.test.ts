import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../../src/builder/index.js';
import { fromLightGBM, fromXGBoost, type Model } from '../../../../src/tools/index.js';
import { checked, hasNative, run, runNatively, type Values } from '../../quantize/runs.js';

/** Models that XGBoost and LightGBM have trained, and what these predict: trained.json, which witness.py has written. */
const test = suite('forests as XGBoost and LightGBM predict');

interface Case {
  readonly name: string;
  readonly library: 'xgboost' | 'lightgbm';
  readonly model: string;
  readonly ubj?: string;
  readonly x: readonly (number | string | null)[];
  readonly y: readonly number[];
  readonly width: number;
  readonly classes: boolean;
}

const { features, cases } = JSON.parse(readFileSync(new URL('trained.json', import.meta.url), 'utf8')) as {
  readonly features: number;
  readonly cases: readonly Case[];
};

const READERS = { xgboost: fromXGBoost, lightgbm: fromLightGBM } as const;

const numberIn = (value: number | string | null): number =>
  value === null ? Number.NaN : typeof value === 'string' ? Number(value.replace('inf', 'Infinity')) : value;

const feedsOf = ({ x }: Case): Values => ({
  input: tensor('float32', [x.length / features, features], Float32Array.from(x, numberIn)),
});

const bytesIn = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Sums of float32, where those of the libraries are of double or in another order; a row that goes another way is off by more. */
function assertPredicted(results: Values, { y, width, classes }: Case, who: string): void {
  const found = results[classes ? 'probabilities' : 'variable'];
  assert.equal(found?.dims, [y.length / width, width], who);
  const data = found?.data as Float32Array;
  const off = y.map((value, i) => Math.abs((data[i] as number) - value) / Math.max(1, Math.abs(value)));
  const worst = Math.max(...off);
  assert.ok(worst < 3e-6, `${who}: row ${Math.floor(off.indexOf(worst) / width)} is off by ${worst}`);
  if (!classes) return;
  const labels = Array.from(results.label?.data as BigInt64Array, Number);
  for (const [row, label] of labels.entries()) {
    const own = y.slice(row * width, (row + 1) * width);
    assert.ok((own[label] as number) > Math.max(...own) - 1e-6, `${who}: row ${row} is no ${label}`);
  }
}

const isNeeded = (model: Model) => model.proto.graph?.node.some(({ opType }) => opType === 'TreeEnsemble');

for (const one of cases)
  test(`${one.library}: ${one.name}`, async () => {
    const read = READERS[one.library];
    const model = await read(bytesIn(one.model));
    const models = isNeeded(model) ? [model] : [model, await read(bytesIn(one.model), { opset: 5 })];
    if (one.ubj) models.push(await fromXGBoost(Uint8Array.from(atob(one.ubj), (c) => c.charCodeAt(0))));
    for (const made of models) {
      const bytes = await checked(made);
      assertPredicted(await run(bytes, feedsOf(one)), one, 'here');
      if (hasNative) assertPredicted(await runNatively(bytes, feedsOf(one)), one, 'onnxruntime');
    }
  });

test.run();
