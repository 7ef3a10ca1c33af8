import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConformanceReport, type ConformanceResult, reportHtml } from '../../../src/tools/conformance/index.js';
import { reportOf } from '../../../src/tools/conformance/report.js';

const test = suite('the page of a conformance report');

const result = (name: string, rest: Partial<ConformanceResult> = {}): ConformanceResult => ({
  name,
  outcome: 'passed',
  problems: [],
  operators: ['Relu'],
  opsets: { 'ai.onnx': 21 },
  milliseconds: 1.25,
  ...rest,
});

const HOSTILE = `<script>alert("1")</script>&amp;'`;

const report: ConformanceReport = reportOf(
  { runtime: HOSTILE, host: 'Node 99', date: '2026-01-02T03:04:05.678Z', milliseconds: 12_340 },
  [
    ...Array.from({ length: 1998 }, (_, i) => result(`node/test_${i}`, { operators: ['Abs'] })),
    result(`node/${HOSTILE}`, {
      outcome: 'failed',
      operators: [HOSTILE, 'Relu'],
      problems: [{ dataSet: '0', output: HOSTILE, message: HOSTILE }],
    }),
    result('node/test_refused', { outcome: 'refused', operators: ['Gelu'], problems: [{ message: 'not supported' }] }),
  ],
);

/** Tags that must be closed, and are. */
function expectBalanced(page: string): void {
  const open: string[] = [];
  for (const [, slash, name] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (['meta', 'input', 'wbr'].includes(name as string)) continue;
    if (!slash) open.push(name as string);
    else assert.is(open.pop(), name);
  }
  assert.equal(open, []);
}

test('holds all of it, and nothing that runs or is fetched', () => {
  const page = reportHtml(report);
  expectBalanced(page);
  assert.not.match(page, /<script|<link|<img|url\(|@import|\son\w+=|javascript:|https?:/i);
  assert.is(page.match(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;&amp;amp;'/g)?.length, 3 + 1);
  assert.match(page, '<strong>99.9 %</strong> of 2,000 cases passed');
  assert.is(page.match(/<tr class="passed">/g)?.length, 1998);
  assert.match(page, /<input[^>]*id="failed" checked>/);
  assert.match(page, 'not supported');
});

test('is the same for the same report, as it is or from JSON', () => {
  assert.is(reportHtml(report), reportHtml(JSON.parse(JSON.stringify(report))));
});

test('every table says what it holds, every cell what it is under', () => {
  const tables = reportHtml(report).split('<table>').slice(1);
  assert.is(tables.length, 4);
  for (const table of tables) {
    assert.match(table, /^<caption>[^<]+<\/caption>/);
    assert.match(table, /<th scope="col">/);
    assert.match(table, /<th scope="row">/);
  }
});

test('is whole where nothing failed, and where there is nothing', () => {
  const page = reportHtml(reportOf(report, [result('test_only')]));
  assert.match(page, '<strong>100 %</strong> of 1 cases passed');
  assert.match(page, /<input[^>]*id="all" checked>/);
  expectBalanced(page);
  expectBalanced(reportHtml(reportOf(report, [])));
});

test.run();
