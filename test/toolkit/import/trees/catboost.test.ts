import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../../src/builder/index.js';
import { fromCatBoost } from '../../../../src/tools/index.js';
import { checked, hasNative, run, runNatively } from '../../quantize/runs.js';
import { refuses } from '../../surgery/models.js';

/** Models as CatBoost writes them, and what a plain walk makes of them: catboost.json, by catboost_witness.py. */
const test = suite('forests in CatBoost JSON');

interface Case {
  readonly name: string;
  readonly model: object;
  readonly x: readonly (number | null)[];
  readonly y: readonly number[];
  readonly width: number;
  readonly labels?: readonly (string | number)[];
}

const { features, cases } = JSON.parse(readFileSync(new URL('catboost.json', import.meta.url), 'utf8')) as {
  readonly features: number;
  readonly cases: readonly Case[];
};

const bytesOf = (model: object) => new TextEncoder().encode(JSON.stringify(model));

for (const { name, model, x, y, width, labels } of cases)
  for (const opset of [3, 5] as const)
    test(`${name}, opset ${opset}`, async () => {
      const bytes = await checked(await fromCatBoost(bytesOf(model), { opset }));
      const data = Float32Array.from(x, (value) => value ?? Number.NaN);
      const feeds = { input: tensor('float32', [x.length / features, features], data) };
      for (const results of [await run(bytes, feeds), ...(hasNative ? [await runNatively(bytes, feeds)] : [])]) {
        const found = results[labels ? 'probabilities' : 'variable'];
        assert.equal(found?.dims, [y.length / width, width]);
        for (const [i, value] of y.entries())
          assert.ok(Math.abs(Number(found?.data[i]) - value) < 2e-6 * Math.max(1, Math.abs(value)), `row ${i / width}`);
        if (!labels) continue;
        const told = Array.from(results.label?.data as ArrayLike<unknown>, (l) =>
          typeof l === 'bigint' ? Number(l) : l,
        );
        assert.equal(told, labels);
      }
    });

test('splits by categories are refused with their place', async () => {
  const [{ model }] = cases as [Case];
  const split = { split_type: 'OnlineCtr', border: 1, split_index: 0 };
  const changed = { ...model, oblivious_trees: [{ splits: [split], leaf_values: [1, 2] }] };
  await refuses(fromCatBoost(bytesOf(changed)), 'model.oblivious_trees[0].splits[0]: splits of type OnlineCtr');
});

test('labels that were not given are those of the caller', async () => {
  const { model } = cases.find(({ name }) => name === 'two classes') as Case;
  const { proto } = await fromCatBoost(bytesOf(model), { labels: [10, 20] });
  assert.is(proto.graph?.output[0]?.type?.tensorType?.elemType, 7);
  await refuses(fromCatBoost(bytesOf(model), { labels: [1] }), 'labels: expected 2 labels, one for each class, got 1');
});

test.run();
