import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findOperator } from '../../src/schema/registry.js';
import { shared } from '../shared-data.js';
import { sampled } from '../tier.js';
import { combinationsOf } from './combinations.js';
import { readSchemas, type Schema } from './schemas.js';
import { smokeFailures } from './smoke-failure.js';

/** What is known to fail: operator → combination (version and the types that are not a variable's first) → why. */
const known = JSON.parse(readFileSync(new URL('smoke-failures.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, string>
>;

const folder = shared('onnx-schemas');

const byName = new Map<string, Schema[]>();
for (const schema of readSchemas(folder)) {
  const name = schema.domain ? `${schema.domain}.${schema.op}` : schema.op;
  byName.set(name, [...(byName.get(name) ?? []), schema]);
}
const test = sampled(suite('every version of every operator on every type'), { ci: 3 / 8 });
const counts = { all: 0, waiting: 0 };
const listed = Object.values(known).reduce((n, labels) => n + Object.keys(labels).length, 0);

for (const [name, versions] of byName) {
  const combinations = versions.map(combinationsOf);
  const count = combinations.flat().length;
  counts.all += count;
  const [{ domain, op }] = versions as [Schema];
  if (!findOperator(domain, op, Number.POSITIVE_INFINITY)) {
    counts.waiting += count;
    continue;
  }
  test(name, async () => {
    const listing = new Map(Object.entries(known[name] ?? {}));
    const wrong: string[] = [];
    for (const version of combinations) {
      for (const [{ label }, reason] of await smokeFailures(version)) {
        if (!listing.delete(label)) wrong.push(`${label}: ${reason}`);
      }
    }
    for (const label of listing.keys()) wrong.push(`${label} runs; take it off smoke-failures.json`);
    assert.equal(wrong, []);
  });
}

const run = counts.all - counts.waiting;
console.log(
  `operator × version × type: ${run - listed} of ${counts.all} combinations must run, ${listed} are known to fail, ${counts.waiting} wait for operators`,
);
test.run();
