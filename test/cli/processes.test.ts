import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { int, modelBuilder, tensor } from '../../src/builder/index.js';
import { f32 } from '../values.js';
import { twiceModel } from './fixtures.js';
import { InstalledCommand } from './installed-command.js';
import { chainModel } from './models.js';

const test = suite<{ cli: InstalledCommand }>('the command line as a process');

test.before((context) => {
  const cli = new InstalledCommand();
  context.cli = cli;
  writeFileSync(cli.path('twice.onnx'), twiceModel(['n', 2]));
  writeFileSync(cli.path('chain.onnx'), chainModel());
  writeFileSync(cli.path('endless.onnx'), endlessModel());
});

test.after(({ cli }) => cli.remove());

/** Multiplies x by 1 some 10¹⁵ times. */
function endlessModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 'n']);
  const body = b.subgraph('body', (inner) => {
    inner.input('i', 'int64', []);
    const goesOn = inner.input('goesOn', 'bool', []);
    const carried = inner.input('carried', 'float32', ['n', 'n']);
    inner.output('goesOnStill', inner.op('Identity', [goesOn]));
    inner.output('next', inner.op('MatMul', [carried, inner.op('Softmax', [carried], { axis: int(-1) })]));
  });
  const times = b.constant('times', tensor('int64', [], [2 ** 50]));
  b.output('y', b.op('Loop', [times, null, x], { body }), 'float32', ['n', 'n']);
  return b.toBytes();
}

/** A command line of the shell, in which "sardonyx" is the command. */
const inShell = (cli: InstalledCommand, line: string) =>
  spawnSync('sh', ['-c', `sardonyx() { "${process.execPath}" "${cli.script}" "$@"; }\n${line}`], {
    cwd: cli.folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });

for (const threads of ['1', '2'])
  test(`an interrupt ends a run at once, on ${threads} thread(s)`, async ({ cli }) => {
    const child = cli.start('run', 'endless.onnx', '--dim', 'n=64', '--threads', threads);
    const ended = once(child, 'exit');
    await Promise.race([once(child.stderr as Readable, 'data'), ended]);
    // It has told its inputs, and the run is to go on for a while.
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.is(child.exitCode, null, 'the run was not to end by itself');
    const interrupted = performance.now();
    child.kill('SIGINT');
    // A shell reports a command that a signal has ended as 128 + 2.
    assert.equal(await ended, [null, 'SIGINT']);
    assert.ok(performance.now() - interrupted < 2000);
  });

test('every command that makes a session takes --threads, and ends', ({ cli }) => {
  for (const command of ['run', 'inspect', 'bench'])
    cli.succeed(command, 'chain.onnx', '--threads', '2', ...(command === 'bench' ? ['--runs', '5'] : []));
  cli.succeed('compare', 'chain.onnx', '--with', 'sardonyx:disabled', '--threads', '2');
  assert.is(cli.run('run', 'chain.onnx', '--threads', '2', '--shape', 'x=7').status, 1);
});

test('who reads only the first lines ends the command without a complaint', ({ cli }) => {
  const { stdout, stderr } = inShell(cli, 'sardonyx run twice.onnx --shape 50000x2 --json | head -n 1');
  assert.equal([stdout, stderr], ['{\n', 'inputs: x float32[50000, 2] (generated)\n']);
});

test('much data arrives whole through a pipe, in text, JSON and as .npy', ({ cli }) => {
  const { stdout } = inShell(cli, 'sardonyx run twice.onnx --shape 100000x2 --json');
  assert.is(JSON.parse(stdout).outputs.twice.data.length, 2e5);
  const size = inShell(cli, 'sardonyx run twice.onnx --shape 100000x2 -o twice=- 2>/dev/null | cat | wc -c').stdout;
  assert.is(Number(size), 128 + 8e5);
});

test('commands make a pipeline', ({ cli }) => {
  writeFileSync(cli.path('one.onnx'), twiceOnly());
  const { stdout, stderr } = inShell(
    cli,
    'cat one.onnx | sardonyx optimize - -o - 2>/dev/null | sardonyx run - --shape 1x2 -o - 2>/dev/null | sardonyx run one.onnx -i - --values 2 --json',
  );
  assert.is(stderr, '');
  assert.equal(JSON.parse(stdout).outputs.y.dims, [1, 2]);
});

/** y = 2x, one output. */
function twiceOnly(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Mul', [b.input('x', 'float32', ['n', 2]), b.constant('two', f32([], [2]))]), 'float32', ['n', 2]);
  return b.toBytes();
}

test('nothing is coloured where there is no terminal', ({ cli }) => {
  for (const args of [['--help'], ['inspect', 'twice.onnx'], ['run', 'absent.onnx']]) {
    const { stdout, stderr } = cli.run(...args);
    assert.not((stdout + stderr).includes('\u001b'));
  }
});

test.run();
