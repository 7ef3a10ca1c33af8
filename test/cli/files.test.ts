import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inWords } from '../../src/cli/system-errors.js';
import { skipped } from '../skipped.js';
import { sampled } from '../tier.js';
import { bundledProgram } from './bundled-program.js';
import { CommandLine } from './command-line.js';
import { twiceModel, zooFolder } from './fixtures.js';

const test = sampled(suite<{ cli: CommandLine }>('files that commands read and write'), { quick: 1 / 3 });

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  writeFileSync(cli.path('m.onnx'), twiceModel(['n', 2]));
  zooFolder(cli.path('zoo'));
  mkdirSync(cli.path('folder'));
});

test.after(({ cli }) => cli.remove());

/** By the file that it writes, a command line without its --output. */
const WRITING: Readonly<Record<string, string>> = {
  'optimized.onnx': 'optimize m.onnx',
  'simple.onnx': 'simplify m.onnx',
  'old.onnx': 'convert m.onnx --opset 18',
  'inferred.onnx': 'infer m.onnx',
  'packed.onnx': 'pack m.onnx',
  'half.onnx': 'float16 m.onnx',
  'int8.onnx': 'quantize static m.onnx --data zoo',
  'part.onnx': 'extract m.onnx --outputs twice',
  'both.onnx': 'merge m.onnx m.onnx --map twice:x --prefix1 a --prefix2 b',
  'inlined.onnx': 'inline m.onnx',
  'edited.onnx': 'edit m.onnx --rename x=pixels',
  'ranges.json': 'calibrate m.onnx --data zoo',
  'm.txt': 'print m.onnx',
};

const sizeOf = (bytes: number) => (bytes < 1000 ? `${bytes} B` : `${Number((bytes / 1000).toPrecision(3))} kB`);

for (const [file, line] of Object.entries(WRITING)) {
  test(`${line}: reports the file and its size`, async ({ cli }) => {
    const { status, stderr } = await cli.run(...line.split(' '), '-o', file);
    assert.is(status, 0, stderr);
    const wrote = `wrote ${file} (${sizeOf(statSync(cli.path(file)).size)})`;
    assert.ok(stderr.split('\n').includes(wrote), `${wrote}\n${stderr}`);
  });

  test(`${line}: creates no folder, and does no work before it reports that`, async ({ cli }) => {
    const output = `missing/${file}`;
    const { status, stdout, stderr } = await cli.run(...line.split(' '), '-o', output);
    assert.equal([status, stdout], [1, '']);
    assert.is(stderr, `sardonyx: --output ${output}: cannot write "${output}": the folder "missing" does not exist\n`);
    assert.not(existsSync(cli.path('missing')));
    const folder = await cli.run(...line.split(' '), '-o', 'folder');
    assert.is(folder.stderr, 'sardonyx: --output folder: cannot write "folder": it is a folder\n');
  });
}

test('unpack reports the model and its weights', async ({ cli }) => {
  const { stderr } = await cli.run('unpack', 'm.onnx', '-o', 'split.onnx', '--threshold', '0');
  assert.equal(
    stderr.trim().split('\n').sort(),
    ['split.onnx', 'split.onnx.data'].map((file) => `wrote ${file} (${sizeOf(statSync(cli.path(file)).size)})`),
  );
  const { status, stderr: refused } = await cli.run('unpack', 'm.onnx', '-o', 's.onnx', '--location', 'missing/w.bin');
  assert.is(status, 1);
  assert.match(refused, /--location missing\/w\.bin: .*the folder "missing" does not exist/);
});

test('run reports files and folders of outputs, and creates only the folder that it is asked for', async ({ cli }) => {
  const { stderr } = await cli.run('run', 'm.onnx', '-o', 'twice=y.npy', '-o', 'all.json', '-o', 'values');
  assert.match(stderr, /^wrote y\.npy \(136 B\)\nwrote all\.json \(\d+ B\)\nwrote 3 files to values \(\d+ B\)$/m);
  assert.is(readdirSync(cli.path('values')).length, 3);
  for (const output of ['missing/values', 'twice=missing/y.npy', 'missing/all.json']) {
    const { status, stderr } = await cli.run('run', 'm.onnx', '-o', output);
    assert.is(status, 1);
    assert.match(stderr, /the folder "missing" does not exist\n$/);
  }
  assert.not(existsSync(cli.path('missing')));
});

test('bench reports its trace, and export its files', async ({ cli }) => {
  const { stderr } = await cli.run('bench', 'm.onnx', '--runs', '1', '--trace', 'trace.json');
  assert.match(stderr, /^wrote trace\.json \([\d.]+ kB\)$/m);
  const missing = await cli.run('bench', 'm.onnx', '--trace', 'missing/trace.json');
  assert.match(missing.stderr, /--trace missing\/trace\.json: .*the folder "missing" does not exist/);
  assert.match(await cli.succeed('export', 'm.onnx', '--to', 'tfjs', '-o', 'web'), /^web\/model\.json +[\d.]+ kB$/m);
  assert.is((await cli.run('export', 'm.onnx', '--to', 'tfjs', '-o', 'missing/web')).status, 1);
  assert.not(existsSync(cli.path('missing')));
});

test('errors of the operating system are in words', async ({ cli }) => {
  const errorOf = async (...args: string[]) => (await cli.run(...args)).stderr;
  assert.match(await errorOf('run', 'm.onnx', '-i', 'folder'), /^sardonyx: .*cannot read "folder": it is a folder\n$/m);
  assert.match(await errorOf('inspect', 'folder'), /^sardonyx: cannot read the model "folder": it is a folder[^,]*\n$/);
  assert.match(await errorOf('run', 'm.onnx', '-i', 'none.npy'), /cannot read "none\.npy": no such file or folder\n$/);
  assert.match(await errorOf('parse', 'folder', '-o', 'x.onnx'), /cannot read "folder": it is a folder\n$/);
  const denied = 'cannot write "x": EACCES: permission denied, open \'/root/x.partial\'';
  assert.is(inWords(denied), 'cannot write "x": permission denied');
  assert.is(inWords('EPIPE: broken pipe, write'), 'the reader closed the pipe');
  if (process.getuid?.() !== 0) {
    mkdirSync(cli.path('locked'));
    chmodSync(cli.path('locked'), 0o500);
    assert.match(await errorOf('print', 'm.onnx', '-o', 'locked/m.txt'), /"locked\/m\.txt": permission denied\n$/);
  }
});

if (!existsSync('/dev/full')) skipped('a full device, which is not here');
else
  test('a full device is an error in one line, as a file and as standard output', ({ cli }) => {
    const shell = (line: string) =>
      spawnSync('sh', ['-c', `"${process.execPath}" "${bundledProgram()}" ${line}`], {
        cwd: cli.folder,
        encoding: 'utf8',
      });
    for (const line of ['print m.onnx > /dev/full', 'run m.onnx --json > /dev/full', 'completion bash > /dev/full']) {
      const { status, stderr } = shell(line);
      assert.match(stderr, /^(inputs: .*\n)?sardonyx: cannot write to standard output: no space left on device\n$/);
      assert.is(status, 1, line);
    }
    for (const line of ['print m.onnx -o /dev/full', 'edit m.onnx --rename x=y -o /dev/full']) {
      const { status, stderr } = shell(line);
      assert.match(stderr, /^sardonyx: .*cannot write "\/dev\/full": no space left on device\n$/);
      assert.is(status, 1, line);
    }
  });

test.run();
