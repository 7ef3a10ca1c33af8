import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as everyGroup from '../../src/groups/all.js';
import { GROUPS, neededFor } from '../../src/groups/load-groups.js';
import type { AnyOperator } from '../../src/ops/definition.js';

const test = suite('groups of operators');

for (const group of GROUPS) {
  const name = /\.\/([\w-]+)/.exec(group.load.toString())?.[1];
  test(`${name} is loaded for each of its operators`, async () => {
    const { lowerings, ...definitions } = await group.load();
    const operators = Object.values(definitions).flat() as AnyOperator[];
    const own = operators.filter(({ domain }) => domain !== 'sardonyx');
    assert.ok(own.length > 0);
    assert.equal(
      own.filter((operator) => !neededFor(group)(operator)).map((operator) => operator.name),
      [],
    );
  });
}

test('those that are provided all at once are all there are', async () => {
  const listed = await Promise.all(GROUPS.map(({ load }) => load()));
  assert.equal(new Set<object>(Object.values(everyGroup)), new Set(listed));
});

test.run();
