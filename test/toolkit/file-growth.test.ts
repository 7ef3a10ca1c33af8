import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../src/builder/index.js';
import { optimizedModel } from '../../src/cli/optimize-model.js';
import { InferenceSession } from '../../src/index.js';
import { writeModel } from '../../src/model/write-model.js';
import { openModel } from '../../src/session/open-model.js';
import { compare } from '../../src/tools/difference.js';
import { loadModel, parseModel, saveModel, simplify } from '../../src/tools/index.js';
import { choicesOf } from '../fuzz/graphs/choices.js';
import { generate } from '../fuzz/graphs/generate.js';
import { openIn } from '../fuzz/graphs/modes.js';
import { caseOf, findingIn } from '../fuzz/graphs/trial.js';
import { shared } from '../shared-data.js';
import { beyond, byTier, seriesByTier } from '../tier.js';
import { weightsModel } from './file-growth.js';

const test = suite('files do not grow');

type Rewritten = (bytes: Uint8Array) => Promise<Uint8Array>;

const WAYS: Readonly<Record<string, Rewritten>> = {
  simplify: async (bytes) => saveModel((await simplify(await loadModel(bytes))).model),
  ...Object.fromEntries(
    (['basic', 'extended'] as const).map((level) => [
      `optimize, ${level}`,
      async (bytes: Uint8Array) => writeModel((await optimizedModel(await openModel(bytes, {}), level)).optimized),
    ]),
  ),
};

/** What a file may grow by: what its nodes take, a kilobyte, and a sixteenth. */
async function mayGrow(bytes: Uint8Array): Promise<number> {
  const { proto } = await loadModel(bytes);
  return 128 * (proto.graph?.node.length ?? 0) + 1024 + bytes.length / 16;
}

const RAW = { graphOptimizationLevel: 'disabled', intraOpNumThreads: 1 } as const;

async function resultsOf(bytes: Uint8Array, seed: number) {
  const session = await InferenceSession.create(bytes, RAW);
  try {
    const x = tensor('float32', [1], [1e30 * (choicesOf(seed).next() + 0.5)]);
    return await session.run({ x, taken: tensor('bool', [], [seed % 2]) } as never);
  } finally {
    await session.release();
  }
}

const SEED = Number(process.env.SEED ?? 20_261_127);
const WEIGHTS = seriesByTier({ quick: 30, ci: 45, all: 3_000 });
const GRAPHS = seriesByTier({ quick: 15, ci: 22, all: 3_000 });

for (const [way, rewritten] of Object.entries(WAYS)) {
  test(`${way}: weights that are unpacked, repeated and shared (${WEIGHTS.length} models)`, async () => {
    const wrong: string[] = [];
    for (const seed of WEIGHTS.map((place) => SEED + place)) {
      const bytes = weightsModel(seed);
      const made = await rewritten(bytes);
      const growth = made.length - bytes.length;
      if (growth > (await mayGrow(bytes))) wrong.push(`seed ${seed}: ${bytes.length} bytes became ${made.length}`);
      const [expected, actual] = [await resultsOf(bytes, seed), await resultsOf(made, seed)];
      for (const [name, value] of Object.entries(expected)) {
        const { relativeL2, mismatch } = compare((actual[name] as never) ?? null, value as never);
        if (mismatch !== undefined || relativeL2 > 1e-6) wrong.push(`seed ${seed}: ${name} ${mismatch ?? relativeL2}`);
      }
    }
    assert.equal(wrong.slice(0, 10), [], `${wrong.length} of ${WEIGHTS.length} models`);
  });

  test(`${way}: random graphs (${GRAPHS.length})`, async () => {
    const wrong: string[] = [];
    for (const seed of GRAPHS.map((place) => SEED + place)) {
      const { program, feeds } = await generate(seed);
      const c = await caseOf(program, feeds);
      const made = await rewritten(c.bytes);
      if (made.length - c.bytes.length > (await mayGrow(c.bytes)))
        wrong.push(`seed ${seed}: ${c.bytes.length} bytes became ${made.length}`);
      const finding = await findingIn({ name: way, options: RAW }, c, (mode) => openIn(mode, made));
      if (finding) wrong.push(`seed ${seed}: ${finding.message}`);
    }
    assert.equal(wrong.slice(0, 10), [], `${wrong.length} of ${GRAPHS.length} graphs`);
  });
}

for (const [way, rewritten] of Object.entries(WAYS))
  test(`${way}: DequantizeLinear of constants stays, however small`, async () => {
    const text = `<ir_version: 8, opset_import: ["" : 13]> g (float[2,4] x) => (float[2,3] y)
      <int8[4,3] w = {1,2,3,4,5,6,7,8,9,10,11,12}, float s = {0.5}> { d = DequantizeLinear (w, s) y = MatMul (x, d) }`;
    const { proto } = await loadModel(await rewritten(await saveModel(parseModel(text))));
    assert.equal(
      proto.graph?.node.map(({ opType }) => opType),
      ['DequantizeLinear', 'MatMul'],
    );
  });

const folder = shared('models');
const models = folder ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'model.onnx'))) : [];

const SMALL = models.filter((name) => statSync(join(folder as string, name, 'model.onnx')).size < 2 ** 21);

/** What takes a second: in tier all. */
const SLOW = ['ssdlite320', 'gpt_mini', 'vit_tiny6'];
const LARGE = models.filter((name) => !SMALL.includes(name) && !SLOW.includes(name));

for (const name of byTier({ quick: SMALL, ci: beyond ? LARGE : [...SMALL, ...LARGE], all: models }))
  test(`${name} does not grow`, async () => {
    const bytes = readFileSync(join(folder as string, name, 'model.onnx'));
    for (const [way, rewritten] of Object.entries(WAYS)) {
      const made = await rewritten(bytes);
      assert.ok(made.length <= bytes.length + 1024, `${way}: ${bytes.length} bytes became ${made.length}`);
    }
  });

test.run();
