import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { main } from '../../src/cli/main.js';
import { capturingHost } from './command-line.js';
import { chainModel } from './models.js';

const test = suite<{ folder: string; model: string }>('the command line in a terminal');

test.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
  context.model = join(context.folder, 'chain.onnx');
  writeFileSync(context.model, chainModel());
});

test.after(({ folder }) => rmSync(folder, { recursive: true }));

/** What a command writes on a terminal so many columns wide. */
async function inTerminal(columns: number, ...args: string[]) {
  const { host, out, err } = capturingHost('');
  const terminal = { isTTY: true, columns };
  const status = await main(args, {
    ...host,
    stdout: { ...host.stdout, ...terminal },
    stderr: { ...host.stderr, ...terminal },
  });
  return { status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

const CLEARED = '\r\x1b[2K';

test('progress is shown on a line that fits, and is gone before notes and results', async ({ model }) => {
  const { status, stdout, stderr } = await inTerminal(20, 'run', model);
  assert.is(status, 0);
  assert.match(stdout, /^y +float32 1×2/);
  const [first, ...shown] = stderr.split(CLEARED);
  assert.is(first, '');
  const inputs = 'inputs: x float32[1, 2] (generated)\n';
  assert.equal(shown, [`loading ${model}`.slice(0, 19), inputs, `running ${model}`.slice(0, 19), '']);
});

test('an error takes the place of the line', async ({ folder }) => {
  const { status, stderr } = await inTerminal(80, 'check', join(folder, 'absent.onnx'));
  assert.is(status, 1);
  assert.match(stderr.split(CLEARED).at(-1) ?? '', /^sardonyx: .*absent\.onnx.*\n$/);
});

test('bytes are not written to it', async ({ model }) => {
  for (const [verb, ...args] of [
    ['run', '-o', 'y=-'],
    ['optimize', '-o', '-'],
    ['infer', '-o', '-'],
  ] as const) {
    const { status, stdout, stderr } = await inTerminal(80, verb, model, ...args);
    assert.equal([status, stdout], [2, ''], verb);
    assert.match(stderr, /--output \S+: standard output is a terminal; redirect it to a file or a program\n$/);
  }
});

test('help is as wide as it', async () => {
  const options = async (columns: number) => {
    const { stdout } = await inTerminal(columns, 'check', '--help');
    return stdout.slice(stdout.indexOf('Options:'), stdout.indexOf('\n\n', stdout.indexOf('Options:'))).split('\n');
  };
  const [narrow, wide] = [await options(64), await options(200)];
  assert.ok(narrow.length > wide.length);
  assert.ok(narrow.every((line) => line.length <= 64));
});

test.run();
