import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../src/session/inference-session.js';
import type { SessionOptions } from '../../src/session/options.js';
import { difference } from '../conformance/compare.js';
import { sampleByTier, type Tier } from '../tier.js';
import { read, type StoredCase, type StoredCases } from './stored.js';

const FOLDER = new URL('expected/', import.meta.url);

/** Ways to run, and how many cases of each operator each tier tries in them. */
const MODES: Readonly<Record<string, { options: SessionOptions; counts: Readonly<Record<Tier, number>> }>> = {
  optimized: { options: {}, counts: { quick: 6, ci: 6, all: Number.POSITIVE_INFINITY } },
  raw: { options: { graphOptimizationLevel: 'disabled' }, counts: { quick: 0, ci: 5, all: Number.POSITIVE_INFINITY } },
  reference: {
    options: { executionProviders: ['reference'] },
    counts: { quick: 0, ci: 5, all: Number.POSITIVE_INFINITY },
  },
};

/** What is wrong with the results of a case in one mode. */
async function findings(c: StoredCase, stored: StoredCases, options: SessionOptions) {
  const { model, feeds, expected, tolerance = stored.tolerance } = c;
  const session = await InferenceSession.create(Buffer.from(model, 'base64'), options);
  try {
    const results = await session.run(read(feeds));
    const wanted = Object.entries(read(expected));
    assert.ok(wanted.length > 0);
    return wanted.flatMap(([name, value]) => {
      const { type, dims, data } = results[name] as typeof value;
      return difference({ type, dims, data } as typeof value, value, tolerance) ?? [];
    });
  } finally {
    await session.release();
  }
}

for (const file of readdirSync(FOLDER)) {
  const stored = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as StoredCases;
  const test = suite(`${stored.domain || 'ai.onnx'}.${stored.op}, as ${stored.witness} has it`);
  for (const [mode, { options, counts }] of Object.entries(MODES)) {
    const cases = sampleByTier(stored.cases, counts, ({ label }) => label);
    if (cases.length === 0) continue;
    test(`${cases.length} of ${stored.cases.length} cases, ${mode}`, async () => {
      const wrong: string[] = [];
      for (const c of cases) {
        const found = await findings(c, stored, options).catch((error: Error) => [error.message]);
        wrong.push(...found.map((what) => `${c.label}: ${what}`));
      }
      assert.equal(wrong, []);
    });
  }
  test('at least 20 cases', () => assert.ok(stored.cases.length >= 20));
  test.run();
}
