import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { operatorName } from '../../src/graph/walk.js';
import { findOperator } from '../../src/schema/registry.js';
import { isAtLeast } from '../tier.js';
import { failureOf } from './run-case.js';
import { CHOSEN } from './stages.js';
import { backendTests, type Case, casesOf } from './suite.js';

const GROUPS = ['node', 'simple', 'pytorch-operator', 'pytorch-converted'];

const readJson = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as T;

/** Operators that nothing implements yet; cases that use one wait. */
const waitingFor = new Set(readJson<string[]>('unsupported-operators.json'));
/** Cases that are known to fail, and why. */
const knownFailures = readJson<Record<string, string>>('known-failures.json');

const root = backendTests();

const lists = suite('conformance lists');

lists('every operator listed as unsupported is unknown', () => {
  const known = [...waitingFor].filter((name) => {
    const [op = name, ...domain] = name.split('.').reverse();
    return findOperator(domain.reverse().join('.'), op, Number.POSITIVE_INFINITY);
  });
  assert.equal(known, [], 'these are implemented; take them off unsupported-operators.json');
});

const all = GROUPS.flatMap((group) => casesOf(root, group).map((found) => ({ group, ...found })));

lists('every case that waits waits for a listed operator', () => {
  const unlisted = all.filter(({ unsupported }) => unsupported.some((name) => !waitingFor.has(name)));
  assert.equal(
    unlisted.map(({ name, unsupported }) => `${name}: ${unsupported}`),
    [],
  );
});

lists('every known failure is a case that could run', () => {
  const runnable = new Set(all.filter(({ unsupported }) => unsupported.length === 0).map(({ name }) => name));
  assert.equal(
    Object.keys(knownFailures).filter((name) => !runnable.has(name)),
    [],
  );
});

for (const group of GROUPS) {
  const cases = all.filter((found) => found.group === group);
  const runnable = cases.filter(({ unsupported }) => unsupported.length === 0);
  const failing = runnable.filter(({ name }) => name in knownFailures).length;
  console.log(
    `${group}: ${runnable.length - failing} of ${cases.length} cases must pass, ${failing} are known to fail, ${cases.length - runnable.length} wait for operators`,
  );
  const tests = suite(`conformance ${group}`);
  for (const [operator, own] of byOperator(runnable)) tests(operator, () => verify(own));
  tests.run();
}

lists.run();

/** Cases by the operator of their first node. */
function byOperator(cases: readonly Case[]): Map<string, Case[]> {
  const groups = new Map<string, Case[]>();
  for (const found of cases) {
    const [first] = found.model.graph.nodes;
    const name = first ? operatorName(first) : 'no operator';
    groups.set(name, [...(groups.get(name) ?? []), found]);
  }
  return groups;
}

/** What ONNX spells out in operators that have cases of their own is not run by plain definitions, but in tier all. */
const stagesFor = ({ name }: Case) =>
  CHOSEN.filter(({ form }) => form !== 'reference' || !name.includes('_expanded') || isAtLeast('all'));

async function verify(cases: readonly Case[]): Promise<void> {
  const wrong: string[] = [];
  for (const found of cases) {
    const failure = await failureOf(found, stagesFor(found));
    const expected = found.name in knownFailures;
    if (failure && !expected) wrong.push(`${found.name}: ${failure}`);
    if (!failure && expected) wrong.push(`${found.name} passes; take it off known-failures.json`);
  }
  assert.equal(wrong, []);
}
