import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../../src/index.js';
import type { Model } from '../../../src/model/document/model.js';
import { readValue } from '../../../src/model/read-values.js';
import { type HostValue, isTensorValue } from '../../../src/tensor/tensor-value.js';
import { modelOf } from '../../../src/tools/model-of.js';
import { saveModel } from '../../../src/tools/save-model.js';
import { readsOf } from '../../../src/tools/surgery/bodies.js';
import {
  addPrefix,
  cleanUp,
  deduplicateWeights,
  extractModel,
  foldConstants,
  inlineFunctions,
  mergeModels,
  restoreWeights,
  stripWeights,
} from '../../../src/tools/surgery/index.js';
import { difference } from '../../conformance/compare.js';
import { sampled } from '../../tier.js';
import { backendModels, networks } from '../check/models.js';
import { errorsOf, graphOf, names } from './models.js';

const test = sampled(suite('surgery on real models'), { ci: 1 / 4 });

type Values = Readonly<Record<string, HostValue>>;

async function outputsOf(model: Model, feeds: Values): Promise<Values> {
  const session = await InferenceSession.create(await saveModel(model));
  try {
    return (await session.run(feeds as never)) as Values;
  } finally {
    await session.release();
  }
}

function feedsOf(model: Model, path: string): Values {
  const file = (i: number) => join(dirname(path), 'test_data_set_0', `input_${i}.pb`);
  return Object.fromEntries(
    graphOf(model).input.flatMap(({ name }, i) =>
      existsSync(file(i)) ? [[name, readValue(readFileSync(file(i)))]] : [],
    ),
  );
}

/** Where outputs are apart by more than kernels are that add in another order: by the largest of an output's numbers. */
const apart = (found: Values, expected: Values): string[] =>
  Object.entries(expected).flatMap(([name, value]) => {
    const absolute = 1e-5 * Math.max(1, largestIn(value));
    const what = difference(found[name] as HostValue, value, { relative: 1e-4, absolute });
    return what ? [`${name}: ${what}`] : [];
  });

const largestIn = (value: HostValue): number =>
  isTensorValue(value) && value.data instanceof Float32Array
    ? value.data.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
    : 0;

/** The models before and behind a node of the graph. */
async function cutAt(model: Model, at: number): Promise<readonly [before: Model, behind: Model, cut: string[]]> {
  const { node, input, output } = graphOf(model);
  const made = new Set(node.slice(0, at).flatMap((entry) => entry.output));
  const wanted = [...node.slice(at).flatMap(readsOf), ...names(output)];
  const cut = [...new Set(wanted)].filter((name) => made.has(name));
  const read = new Set(node.slice(at).flatMap(readsOf));
  const own = names(input).filter((name) => read.has(name));
  const outputs = names(output).filter((name) => !made.has(name));
  return [await extractModel(model, undefined, cut), await extractModel(model, [...cut, ...own], outputs), cut];
}

/** A small generator, so that cuts are the same each time. */
function* random(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const places = random(7);

const SAME: Readonly<Record<string, (model: Model) => Model | Promise<Model>>> = {
  cleanUp,
  deduplicateWeights,
  foldConstants,
  'stripWeights, restoreWeights': async (model) => restoreWeights(await stripWeights(model), model),
};

for (const path of networks()) {
  const title = path.split('/').at(-2);
  test(`${title}: outputs stay`, async () => {
    const model = modelOf(readFileSync(path));
    const feeds = feedsOf(model, path);
    const expected = await outputsOf(model, feeds);
    for (const [what, change] of Object.entries(SAME)) {
      const changed = await change(model);
      assert.equal(apart(await outputsOf(changed, feeds), expected), [], what);
      assert.equal(await errorsOf(changed), [], what);
    }
  });

  test(`${title}: cut anywhere, run in two parts, and put together again`, async () => {
    const model = modelOf(readFileSync(path));
    const feeds = feedsOf(model, path);
    const expected = await outputsOf(model, feeds);
    const { node, input } = graphOf(model);
    if (node.length === 1) return;
    const at = 1 + Math.floor((places.next().value as number) * (node.length - 1));
    const [before, behind, cut] = await cutAt(model, at);
    for (const part of [before, behind]) assert.equal(await errorsOf(part), [], `cut at ${at}`);
    const fed = (part: Model) =>
      Object.fromEntries(
        names(graphOf(part).input).flatMap((name) => (feeds[name] ? [[name, feeds[name] as HostValue]] : [])),
      );
    const middle = await outputsOf(before, fed(before));
    const found = await outputsOf(behind, { ...fed(behind), ...middle });
    assert.equal(apart({ ...middle, ...found }, expected), [], `cut at ${at}`);
    const map = cut
      .map((name) => [name, name] as const)
      .filter(([name]) => names(graphOf(behind).input).includes(name));
    const shared = names(graphOf(behind).input).some((name) => names(input).includes(name));
    if (shared) return;
    const whole = mergeModels(before, behind, { map, outputs: names(graphOf(model).output) });
    assert.equal(await errorsOf(whole), []);
    assert.equal(apart(await outputsOf(whole, feeds), expected), []);
  });
}

const paths = backendModels();
test("ONNX's backend models stay valid: a prefix, functions in place, cleaned up, equal weights tied", async () => {
  assert.ok(paths.length > 1000);
  for (const path of paths) {
    const changed = cleanUp(await inlineFunctions(addPrefix(modelOf(readFileSync(path)), 'p/')));
    assert.equal(await errorsOf(await deduplicateWeights(changed)), [], path);
  }
});

test.run();
