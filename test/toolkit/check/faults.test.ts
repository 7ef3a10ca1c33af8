import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkModel, type Issue } from '../../../src/tools/check/index.js';
import { type Random, randomOf, seedOf } from '../../fuzz/files/random.js';
import { type Expected, FAULTS, FAULTS_ALONE, type Fault } from './faults.js';
import { backendModels, networks, readProto } from './models.js';
import type { Site } from './place.js';

/** Faults put into good models by a seed: each is found, with its place, in one pass. */
const test = suite('the checker: seeded faults');

const SEED = 20260303;
const COUNT = 300;
const TOGETHER = 60;
/** Faults in one model. */
const MANY = 8;
/** Models that are tried until one has a place for a fault. */
const TRIES = 400;

const isFound = (issues: readonly Issue[], { code, path, severity, value, node }: Expected): boolean =>
  issues.some(
    (issue) =>
      issue.code === code &&
      issue.path === path &&
      issue.severity === (severity ?? 'error') &&
      (value === undefined || issue.value === value) &&
      (!node?.name || issue.node === node.name),
  );

const shown = (issues: readonly Issue[]): string =>
  issues
    .map(({ severity, code, path, node, value }) => JSON.stringify({ severity, code, path, node, value }))
    .join('\n');

function faulty(
  fault: Fault,
  pool: readonly string[],
  random: Random,
): { site: Site; path: string; expected: Expected } {
  for (let i = 0; i < TRIES; i++) {
    const path = random.pick(pool);
    const site: Site = { model: readProto(path), random, taken: new Set() };
    const expected = fault(site);
    if (expected) return { site, path, expected };
  }
  throw new Error('no model has a place for it');
}

const [backend, whole] = [backendModels(), networks()];
if (backend && whole) {
  const kinds = Object.entries({ ...FAULTS, ...FAULTS_ALONE });

  test(`${COUNT} of ${kinds.length} kinds, one at a time`, async () => {
    assert.ok(COUNT >= 2 * kinds.length);
    for (let i = 0; i < COUNT; i++) {
      const [name, fault] = kinds[i % kinds.length] as [string, Fault];
      const random = randomOf(seedOf(SEED, i));
      const { site, path, expected } = faulty(fault, i % 2 ? backend : [...whole, ...backend], random);
      const issues = await checkModel(site.model);
      assert.ok(
        isFound(issues, expected),
        `${i}: ${name} in ${path}: ${JSON.stringify(expected)} in\n${shown(issues)}`,
      );
    }
  });

  test(`${MANY} at once, ${TOGETHER} times`, async () => {
    const several = Object.entries(FAULTS);
    for (let i = 0; i < TOGETHER; i++) {
      const random = randomOf(seedOf(SEED, COUNT + i));
      const path = random.pick(whole);
      const site: Site = { model: readProto(path), random, taken: new Set() };
      const expected = new Map<string, Expected>();
      while (expected.size < MANY) {
        const [name, fault] = random.pick(several);
        const found = expected.has(name) ? undefined : fault(site);
        if (found) expected.set(name, found);
      }
      const issues = await checkModel(site.model);
      for (const [name, each] of expected)
        assert.ok(isFound(issues, each), `${i}: ${name} in ${path}: ${JSON.stringify(each)} in\n${shown(issues)}`);
    }
  });

  test('no more issues than asked for, errors before warnings', async () => {
    const { model } = faulty(FAULTS_ALONE['no imports'] as Fault, whole, randomOf(SEED)).site;
    assert.is((await checkModel(model, { limit: 3 })).length, 3);
    const [path] = whole as [string];
    const site: Site = { model: readProto(path), random: randomOf(SEED), taken: new Set() };
    for (let i = 0; i < 5; i++) FAULTS['value_info of a value that is not there']?.(site);
    for (let i = 0; i < 2; i++) FAULTS['a binding to no output']?.(site);
    const issues = await checkModel(site.model, { limit: 3 });
    assert.equal(
      issues.map(({ severity }) => severity),
      ['error', 'error', 'error'],
    );
  });
}

test.run();
