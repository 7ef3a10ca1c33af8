import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { symbol } from '../../src/graph/sizes.js';
import { tensorType } from '../../src/graph/types.js';
import { loadGroups } from '../../src/groups/load-groups.js';
import { readModel } from '../../src/model/read-model.js';
import { writeModel } from '../../src/model/write-model.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import { difference } from '../conformance/compare.js';
import { byTier, sample } from '../tier.js';
import { read, type StoredCase, type StoredCases } from './stored.js';

/** Operators whose cases also run with inputs of which nothing but the rank is known before. */
const OPERATORS = [
  'DequantizeLinear',
  'DynamicQuantizeLSTM',
  'DynamicQuantizeMatMul',
  'GatherBlockQuantized',
  'MatMulBnb4',
  'MatMulIntegerToFloat',
  'NhwcMaxPool',
  'QGemm',
  'QLinearAdd',
  'QLinearAveragePool',
  'QLinearConcat',
  'QLinearConv',
  'QLinearGlobalAveragePool',
  'QLinearLeakyRelu',
  'QLinearMul',
  'QLinearSigmoid',
  'QLinearSoftmax',
  'QLinearWhere',
  'QMoE',
  'QuantizeLinear',
];

/** So many cases of each; open-axes.test.ts tries those of all operators among its own, all of them in tier `all`. */
const CASES = byTier({ quick: 12, ci: 12, all: Number.POSITIVE_INFINITY });

/** The model with a symbol for every size of its inputs. */
function opened(bytes: Uint8Array): Uint8Array {
  const model = readModel(bytes);
  for (const [i, value] of model.graph.inputs.entries()) {
    if (value.type?.kind !== 'tensor') continue;
    value.type = tensorType(
      value.type.element,
      value.type.dims?.map((_, axis) => symbol(`s${i}_${axis}`)),
    );
  }
  for (const value of model.graph.outputs)
    if (value.type?.kind === 'tensor') value.type = tensorType(value.type.element);
  return writeModel(model);
}

async function findings(own: StoredCase, stored: StoredCases): Promise<string[]> {
  const { label, model, feeds, expected, tolerance = stored.tolerance } = own;
  const session = await InferenceSession.create(opened(Buffer.from(model, 'base64')));
  try {
    const results = await session.run(read(feeds));
    return Object.entries(read(expected)).flatMap(([name, value]) => {
      const { type, dims, data } = results[name] as typeof value;
      const wrong = difference({ type, dims, data } as typeof value, value, tolerance);
      return wrong ? [`${label}: ${wrong}`] : [];
    });
  } finally {
    await session.release();
  }
}

const test = suite('operators of com.microsoft whose sizes are not known before the run');

await loadGroups();
for (const op of OPERATORS) {
  const stored = JSON.parse(readFileSync(new URL(`expected/${op}.json`, import.meta.url), 'utf8')) as StoredCases;
  test(op, async () => {
    const wrong: string[] = [];
    for (const c of sample(stored.cases, CASES, ({ label }) => label))
      wrong.push(...(await findings(c, stored).catch((error: Error) => [`${c.label}: ${error.message}`])));
    assert.equal(wrong, []);
  });
}

test.run();
