import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chartOf } from '../../bench/chart.js';

const test = suite('the chart of README.md');
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('shows the five rows of the table', () => {
  const chart = chartOf(read('README.md'));
  assert.is(chart.match(/× faster/g)?.length, 5);
  assert.is(read('docs/images/benchmarks.svg'), chart, 'run npm run bench:chart');
});

test.run();
