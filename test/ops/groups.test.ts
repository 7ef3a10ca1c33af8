import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KernelSet } from '../../bindings/kernel-set.js';
import type { Lowerings } from '../../src/backends/wasm/lowering.js';
import * as everyGroup from '../../src/groups/all.js';
import * as always from '../../src/groups/always.js';
import { GROUPS, neededFor } from '../../src/groups/groups.js';
import type { AnyOperator } from '../../src/schema/definition.js';

type Provided = { readonly lowerings?: Lowerings; readonly kernelSet?: KernelSet };

const test = suite('groups of operators');

for (const group of GROUPS) {
  const name = /\.\/([\w-]+)/.exec(group.load.toString())?.[1];
  test(`${name} is loaded for each of its operators`, async () => {
    const { lowerings, kernelSet, ...definitions } = await group.load();
    const operators = Object.values(definitions).flat() as AnyOperator[];
    const own = operators.filter(({ domain }) => domain !== 'sardonyx');
    assert.ok(own.length > 0);
    assert.equal(
      own.filter((operator) => !neededFor(group)(operator)).map((operator) => operator.name),
      [],
    );
  });
}

const ALL = ([always, ...Object.values(everyGroup)] as Provided[]).flatMap(
  ({ lowerings, kernelSet, ...definitions }) => Object.values(definitions).flat() as AnyOperator[],
);

const operatorOf = ({ domain, name }: AnyOperator) => (domain ? `${domain}.${name}` : name);

test('every lowering is of a primitive that an operator beside it is', () => {
  for (const { lowerings = {}, kernelSet, ...definitions } of [always, ...Object.values(everyGroup)] as Provided[]) {
    const operators = Object.values(definitions).flat() as AnyOperator[];
    const known = new Set(operators.map(({ computes }) => computes?.primitive.name));
    assert.equal(
      Object.keys(lowerings).filter((name) => !known.has(name)),
      [],
    );
  }
});

test('every operator is a primitive, or is said by others or the host', () => {
  const silent = ALL.filter(
    ({ computes, decompose, evaluate, iterate }) => !(computes ?? decompose ?? evaluate ?? iterate),
  );
  assert.equal(silent.map(operatorOf), ['If'], 'a plan takes one of its branches');
});

test('a primitive is one, whoever names it', () => {
  const byName = new Map(
    ALL.flatMap(({ computes }) => (computes ? [[computes.primitive.name, computes.primitive]] : [])),
  );
  for (const { computes } of ALL) if (computes) assert.is(computes.primitive, byName.get(computes.primitive.name));
});

test('those that are provided all at once are all there are', async () => {
  const listed = await Promise.all(GROUPS.map(({ load }) => load()));
  assert.equal(new Set<object>(Object.values(everyGroup)), new Set(listed));
});

test.run();
