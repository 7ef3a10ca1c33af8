import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { operatorPage } from '../../tools/operator-coverage.js';

test('docs/operators.md says what is defined; npm run docs:operators writes it', async () => {
  assert.is(readFileSync(new URL('../../docs/operators.md', import.meta.url), 'utf8'), await operatorPage());
});

test.run();
