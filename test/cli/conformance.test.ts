import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { zipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ConformanceReport } from '../../src/tools/conformance/index.js';
import { caseFiles, relu, THREE } from '../toolkit/conformance/suites.js';
import { f32 } from '../values.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx conformance');

const Y = f32([3], [0, 0, 2]);
const named = (name: string) => caseFiles(`fates/${name}`, relu(), [f32([3], [-1, 0, 2])], [Y]);
const FATES = {
  ...named('a_passes'),
  ...named('b_dies'),
  ...named('c_hangs'),
  ...named('d_refuses'),
  ...named('e_passes'),
};

/** Does each of FATES in turn, told apart by how many sessions were made. */
const FATEFUL = `
const { appendFileSync, readFileSync } = require('node:fs');
const count = () => { appendFileSync('made.txt', '.'); return readFileSync('made.txt', 'utf8').length; };
class Tensor { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } }
const run = (n) => async ({ x }) => {
  if (n === 2) process.abort();
  if (n === 3) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return { y: new Tensor('float32', x.data.map((v) => Math.max(v, 0)), x.dims) };
};
const create = async () => {
  const n = count();
  if (n === 4) throw new Error('Unsupported: no Relu on Sundays');
  return { run: run(n), release: async () => {} };
};
module.exports = { Tensor, InferenceSession: { create }, env: { wasm: {} } };`;

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  const files = { ...THREE, ...FATES, 'suite.zip': zipSync(THREE), 'fateful.cjs': FATEFUL, 'empty.cjs': '' };
  mkdirSync(cli.path('bare'));
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(cli.path(path)), { recursive: true });
    writeFileSync(cli.path(path), contents);
  }
});

test.after(({ cli }) => cli.remove());

test('a folder or a zip file: what failed, what passed, and the exit status', async ({ cli }) => {
  for (const suite of ['data', 'suite.zip']) {
    const { status, stdout, stderr } = await cli.run('conformance', suite);
    assert.match(
      stdout,
      /FAIL +node\/test_relu_off +y: 1 element is out of tolerance.* at \[1\]: expected 0\.25, got 0/,
    );
    assert.match(stdout, /sardonyx \d.* in Node /);
    assert.match(stdout, /3 cases: 2 passed, 1 failed, 0 unsupported\n$/);
    assert.is(stderr, '');
    assert.is(status, 1);
  }
});

test('filters, by text and by pattern, and tolerances', async ({ cli }) => {
  assert.match(await cli.succeed('conformance', 'data', '--filter', 'simple/'), /1 case: 1 passed/);
  assert.match(await cli.succeed('conformance', 'data', '--filter', '/relu$|other$/'), /2 cases: 2 passed/);
  assert.match(await cli.succeed('conformance', 'data', '--atol', '0.3', '--rtol', '1e-4'), /3 cases: 3 passed/);
});

test('the report as JSON, in a file, and as a page', async ({ cli }) => {
  mkdirSync(cli.path('out'));
  const { stdout } = await cli.run('conformance', 'data', '--json', '-o', 'out/report.json');
  const report = JSON.parse(stdout) as ConformanceReport;
  assert.equal(report.totals, { cases: 3, passed: 2, failed: 1, refused: 0 });
  assert.equal(JSON.parse(readFileSync(cli.path('out/report.json'), 'utf8')), report);
  await cli.run('conformance', 'data', '-o', 'report.html');
  assert.match(readFileSync(cli.path('report.html'), 'utf8'), /^<!doctype html>.*<\/html>\n$/s);
  const piped = await cli.run('conformance', 'data', '-o', '-');
  assert.match(piped.stdout, /^<!doctype html>.*<\/html>\n$/s);
  assert.match(piped.stderr, /3 cases: 2 passed/);
});

test('a runtime that dies, hangs and refuses loses these cases alone', async ({ cli }) => {
  const options = ['--with', './fateful.cjs', '--time-limit', '5', '--json'];
  const { status, stdout, stderr } = await cli.run('conformance', 'fates', ...options);
  assert.is(stderr, '');
  const { runtime, cases } = JSON.parse(stdout) as ConformanceReport;
  assert.is(runtime, './fateful.cjs');
  const said = cases.map(({ name, outcome, problems }) => `${name} ${outcome} ${problems[0]?.message ?? ''}`.trim());
  assert.equal(said, [
    'a_passes passed',
    'b_dies failed the process of ./fateful.cjs crashed: SIGABRT',
    'c_hangs failed the case took longer than 5 s',
    'd_refuses refused Unsupported: no Relu on Sundays',
    'e_passes passed',
  ]);
  assert.is(status, 1);
});

const WRONG: readonly (readonly [status: number, message: RegExp, ...args: string[]])[] = [
  [1, /"absent" does not exist/, 'absent'],
  [1, /no test cases found; a test case is a model and/, 'bare'],
  [2, /missing required argument 'folder'/],
  [2, /--with absent: the module is not installed in this project; run npm install absent/, 'data', '--with', 'absent'],
  [1, /empty\.cjs does not export InferenceSession and Tensor/, 'data', '--with', './empty.cjs'],
  [2, /--output report\.txt: a report is a \.html or \.json file/, 'data', '-o', 'report.txt'],
  [2, /--output -: standard output cannot carry both the report and JSON/, 'data', '-o', '-', '--json'],
  [2, /--filter \/\(\/: Invalid regular expression/, 'data', '--filter', '/(/'],
  [2, /--time-limit 0: "0" is not a positive number/, 'data', '--time-limit', '0'],
];

test('says what is wrong before it runs anything', async ({ cli }) => {
  for (const [status, message, ...args] of WRONG) {
    const found = await cli.run('conformance', ...args);
    assert.match(found.stderr, message);
    assert.is(found.status, status, found.stderr);
    assert.is(found.stdout, '');
  }
  assert.not(existsSync(cli.path('report.txt')));
});

test.run();
