import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../../src/session/inference-session.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { difference } from '../../conformance/compare.js';
import { type Case, feedsOf, modelOf, type OperatorCases } from '../../contrib/case.js';
import { read, type StoredCase, type StoredCases } from '../../contrib/stored.js';

const test = suite('com.microsoft where sizes are known only when it runs');

const CONTRIB = new URL('../../contrib/', import.meta.url);

const FILES = [
  'Attention',
  'BiasGelu',
  'CausalConvWithState',
  'DecoderMaskedMultiHeadAttention',
  'EmbedLayerNormalization',
  'FastGelu',
  'GroupQueryAttention',
  'GroupQueryAttentionCaches',
  'GroupQueryAttentionScores',
  'LinearAttention',
  'MultiHeadAttention',
  'QAttention',
  'RotaryEmbedding',
  'SkipLayerNormalization',
  'SkipSimplifiedLayerNormalization',
  'SparseAttention',
  'SparseAttentionTokens',
];

async function findings(
  operator: OperatorCases,
  c: Case,
  { expected, tolerance }: StoredCase,
  usual: StoredCases['tolerance'],
) {
  const session = await InferenceSession.create(modelOf(operator, c, true));
  const results = await session.run(feedsOf(c));
  await session.release();
  return Object.entries(read(expected)).flatMap(([name, value]) => {
    const { type, dims, data } = results[name] as TensorValue;
    return difference({ type, dims, data } as TensorValue, value, tolerance ?? usual) ?? [];
  });
}

/** Every third case: the suite of known sizes has all. */
const EVERY = 3;

for (const file of FILES)
  test(file, async () => {
    const { operator } = (await import(new URL(`cases/${file}.ts`, CONTRIB).href)) as { operator: OperatorCases };
    const stored = JSON.parse(readFileSync(new URL(`expected/${file}.json`, CONTRIB), 'utf8')) as StoredCases;
    const wrong: string[] = [];
    for (const [i, kept] of stored.cases.entries()) {
      const own = operator.cases.find(({ label }) => label === kept.label);
      if (i % EVERY !== 0 || !own) continue;
      const found = await findings(operator, own, kept, stored.tolerance).catch((error: Error) => [error.message]);
      wrong.push(...found.map((what) => `${kept.label}: ${what}`));
    }
    assert.equal(wrong, []);
  });

test.run();
