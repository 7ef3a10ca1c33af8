import { readFileSync, writeFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { env } from '../../src/index.js';
import { f32 } from '../values.js';
import { CommandLine } from './command-line.js';
import { twiceModel, writeNumpy } from './fixtures.js';
import { chainModel } from './models.js';

const test = suite<{ cli: CommandLine }>('command lines one after another in one process');

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  writeFileSync(cli.path('twice.onnx'), twiceModel(['n', 2]));
  writeFileSync(cli.path('chain.onnx'), chainModel());
  writeNumpy(cli.path('x.npy'), f32([2, 2], [1, -2, 3, -4]));
});

test.after(({ cli }) => cli.remove());

/** These would show what an earlier command left: kernels, threads, gathered options, parsers, standard input. */
const OBSERVED: readonly string[] = [
  'run chain.onnx -i x.npy --capture relu --json',
  'bench twice.onnx --runs 1 --json',
  'inspect chain.onnx --rewrites --json',
  'compare chain.onnx --with sardonyx:disabled --runs 1 --capture all',
  'run twice.onnx -i x.npy -i x=x.npy',
  'run twice.onnx --dim n=3 --dim n=3',
  'bench twice.onnx --runs many',
  'run twice.onnx -i - -o twice=-',
  'xyzzy',
];

const BETWEEN: readonly string[] = [
  'run chain.onnx --threads 2 --variant simd --shape 3x2 --seed 7',
  'bench chain.onnx --threads 2 --variant simd --runs 2 --profile',
  'verify absent --variant simd',
  'run chain.onnx --limit-memory 1000 --limit-nodes 1 --limit-time 1',
  'inspect chain.onnx --optimize disabled --max-rewrites 0 --providers reference',
  'compare chain.onnx --with sardonyx:basic --tolerance q=1 --capture all',
  'run twice.onnx -i - -o positive=-',
  'completion bash',
  'run --debug --bogus',
  'run --help',
];

const withoutTimes = (text: string): string =>
  text
    .replace(/"milliseconds": \{[^}]*\}/g, '"milliseconds": {}')
    .replace(/^ +create +first run .*\n(sardonyx, .*\n)+/m, 'TIMES\n')
    .replace(/(created in|first run in) [\d.]+ m?s/g, '$1 TIME');

async function said(cli: CommandLine, line: string): Promise<readonly [number, string, string]> {
  const { status, stdout, stderr } = await cli.runOn(readFileSync(cli.path('x.npy')), ...line.split(' '));
  return [status, withoutTimes(stdout), withoutTimes(stderr)];
}

/** What a command could leave in the process. */
const ofProcess = () => ({
  wasm: { ...env.wasm },
  exitCode: process.exitCode,
  folder: process.cwd(),
  listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
});

test('each says the same again, after itself and after others that set all that can be set', async ({ cli }) => {
  const before = ofProcess();
  const first = new Map<string, Awaited<ReturnType<typeof said>>>();
  for (const line of OBSERVED) first.set(line, await said(cli, line));
  for (const line of OBSERVED) assert.equal(await said(cli, line), first.get(line), `${line}, again`);
  for (const between of BETWEEN) {
    await said(cli, between);
    assert.equal(ofProcess(), before, between);
    for (const line of OBSERVED) assert.equal(await said(cli, line), first.get(line), `${line}, after ${between}`);
  }
});

test('threads end with the command that started them', async ({ cli }) => {
  const ends: Promise<unknown>[] = [];
  const count = (worker: Worker) => ends.push(new Promise((resolve) => worker.once('exit', resolve)));
  process.on('worker', count);
  try {
    const { threads } = await cli.json('bench', 'chain.onnx', '--threads', '3', '--runs', '5');
    assert.is(threads, 3);
  } finally {
    process.removeListener('worker', count);
  }
  assert.is(ends.length, 2);
  await Promise.all(ends);
});

test('one does not begin before another has ended', async ({ cli }) => {
  const first = cli.run('--version');
  try {
    await cli.run('--help');
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, /await the command before/);
  }
  assert.is((await first).status, 0);
});

test.run();
