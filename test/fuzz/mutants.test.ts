import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FAULTS } from './mutants/faults.js';
import { faulty } from './mutants/mutant.js';

const test = suite('faults that tests shall find');

for (const fault of FAULTS)
  test(`${fault.name}: what it replaces stands in ${fault.file}, once`, () => {
    assert.ok(faulty(fault).includes(fault.written));
  });

test('their names differ', () => {
  assert.is(new Set(FAULTS.map(({ name }) => name)).size, FAULTS.length);
});

test.run();
