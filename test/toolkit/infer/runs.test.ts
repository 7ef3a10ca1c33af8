import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../../build/onnx.js';
import { encodeExactly } from '../../../src/model/document/encode.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import { inferShapes } from '../../../src/tools/infer/index.js';
import { modelFrom } from '../../../src/tools/model-of.js';
import { firstDataSet, type Values } from '../../first-data-set.js';
import { sharedFolder } from '../../shared-data.js';
import { byTier, isAtLeast } from '../../tier.js';
import { backendModels, networks, readProto } from '../check/models.js';
import { contradiction, isRanked, type Sizes, stripped } from './agreement.js';

const test = suite('shape inference against runs');

interface Tally {
  values: number;
  ranked: number;
}

/** Holds what is inferred of the outputs to what they are; names stand for one size in all of inputs and outputs. */
async function compare(path: string, proto: ModelProto, inputs: Values, outputs: Values, tally: Tally): Promise<void> {
  const { graph } = (await inferShapes(modelFrom(proto))).proto;
  const sizes: Sizes = new Map();
  for (const { name, type } of [...(graph?.input ?? []), ...(graph?.output ?? [])]) {
    const value = inputs[name] ?? outputs[name];
    if (value !== undefined) assert.is(contradiction(type, value, sizes), undefined, `${path}: "${name}"`);
  }
  for (const { name, type } of graph?.output ?? []) {
    if (!(name in outputs)) continue;
    tally.values++;
    tally.ranked += Number(isRanked(type));
  }
}

function assertRanks({ values, ranked }: Tally, least: number): void {
  assert.ok(values >= least, `${values} values were compared`);
  assert.ok(ranked / values >= 0.99, `the rank of ${ranked} of ${values} values is known`);
}

/** Of so many of ONNX's backend models one is tried. */
const STRIDE = byTier({ quick: 3, ci: 3, all: 1 });

const cases = backendModels()
  .filter((path) => existsSync(join(dirname(path), 'test_data_set_0')))
  .filter((_, i) => i % STRIDE === 0);
test("what ONNX's backend models give is what is inferred of their inputs alone", async () => {
  const tally = { values: 0, ranked: 0 };
  for (const path of cases) {
    const proto = readProto(path);
    const [inputs, outputs] = [firstDataSet(path, proto, 'input'), firstDataSet(path, proto, 'output')];
    await compare(path, stripped(proto), inputs, outputs, tally);
  }
  assertRanks(tally, 1800 / STRIDE);
});

/** Runs a model all of whose values are outputs. */
async function runAll(path: string, tally: Tally): Promise<void> {
  const proto = stripped(readProto(path), 'all');
  const inputs = firstDataSet(path, proto, 'input');
  const session = await InferenceSession.create(encodeExactly(ModelProto, proto), {
    graphOptimizationLevel: 'disabled',
  });
  await compare(path, proto, inputs, await session.run(inputs), tally);
  await session.release();
}

const POOLS = {
  // The slowest, or one of three of a kind, wait for tier all.
  'whole networks': {
    paths: networks().filter((path) => isAtLeast('all') || !/ssdlite320|mobilenet_v2|squeezenet/.test(path)),
    least: sharedFolder('models') ? byTier({ quick: 1000, ci: 1000, all: 4000 }) : 50,
  },
  // One in three of those that ONNX has expanded into other operators, for the time it takes.
  'expanded operators': {
    paths: cases.filter((path) => path.includes('_expanded')).filter((_, i) => i % 3 === 0),
    least: 2500 / STRIDE,
  },
};

for (const [name, { paths, least }] of Object.entries(POOLS))
  test(`every value inside ${name} is what is inferred of it`, async () => {
    const tally = { values: 0, ranked: 0 };
    for (const path of paths) await runAll(path, tally);
    assertRanks(tally, least);
  });

test.run();
