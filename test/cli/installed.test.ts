import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAtLeast, sampled } from '../tier.js';
import { caseFiles, relu } from '../toolkit/conformance/suites.js';
import { safetensorsOf } from '../toolkit/import/weights/files.js';
import { f32 } from '../values.js';
import { COMMANDS } from './commands.js';
import { twiceModel, zooFolder } from './fixtures.js';
import { InstalledCommand } from './installed-command.js';

const test = suite<{ cli: InstalledCommand }>('the installed command');

test.before((context) => {
  const cli = new InstalledCommand();
  context.cli = cli;
  const files = {
    'm.onnx': twiceModel(['n', 2]),
    'm.txt': '<ir_version: 10, opset_import: ["" : 21]> g (float[n] x) => (float[n] y) { y = Relu (x) }',
    'w.safetensors': safetensorsOf({ w: { dtype: 'F32', shape: [1], data: Float32Array.of(1) } }),
    ...caseFiles('node/test_relu', relu(), [f32([3], [-1, 0, 2])], [f32([3], [0, 0, 2])]),
  };
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(cli.path(path)), { recursive: true });
    writeFileSync(cli.path(path), contents);
  }
  zooFolder(cli.path('zoo'));
});

test.after(({ cli }) => cli.remove());

/** By verb, a command line that succeeds. */
const LINES: Readonly<Record<string, string>> = {
  run: 'run m.onnx',
  inspect: 'inspect m.onnx --rewrites --nodes',
  check: 'check m.onnx --full',
  bench: 'bench m.onnx --runs 2 --profile --trace trace.json',
  compare: 'compare m.onnx m.onnx --runs 1',
  diff: 'diff m.onnx m.onnx',
  verify: 'verify zoo',
  conformance: 'conformance node',
  optimize: 'optimize m.onnx -o optimized.onnx',
  simplify: 'simplify m.onnx -o simple.onnx --verify 1 --dim n=1',
  convert: 'convert m.onnx --opset 18 -o old.onnx',
  import: 'import w.safetensors',
  export: 'export m.onnx --to tfjs -o web',
  print: 'print m.onnx',
  parse: 'parse m.txt -o parsed.onnx',
  infer: 'infer m.onnx -o inferred.onnx',
  pack: 'pack m.onnx -o packed.onnx',
  unpack: 'unpack m.onnx -o unpacked.onnx --threshold 0',
  calibrate: 'calibrate m.onnx --data zoo -o ranges.json',
  quantize: 'quantize static m.onnx --data zoo -o q.onnx',
  float16: 'float16 m.onnx -o half.onnx',
  extract: 'extract m.onnx --outputs twice -o part.onnx',
  merge: 'merge m.onnx m.onnx --map twice:x --prefix1 a --prefix2 b -o both.onnx',
  inline: 'inline m.onnx -o inlined.onnx',
  edit: 'edit m.onnx --rename x=pixels -o edited.onnx',
  debug: 'debug bisect m.onnx',
  completion: 'completion bash',
};

test('has a line for every verb but that of another package', () => {
  assert.equal(
    COMMANDS.filter((verb) => verb !== 'studio'),
    Object.keys(LINES),
  );
});

/** Loads all files of dist but those that a process or a worker begins with, in one process. */
const LOAD_ALL = `
import { readdirSync } from 'node:fs';
const folder = new URL('node_modules/sardonyx/dist/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.js') && name !== 'cli.js' && name !== 'session-worker.js');
for (const name of files) await import(new URL(name, folder).href);
process.stdout.write(String(files.length));
process.exit(0);`;

test('has whatever its files import', ({ cli }) => {
  writeFileSync(cli.path('load-all.mjs'), LOAD_ALL);
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli.path('load-all.mjs')], { encoding: 'utf8' });
  assert.is(status, 0, stderr);
  assert.ok(Number(stdout) > 100, stdout);
});

/** Half of the verbs in tier ci: each is tried from the sources, too, in a suite of its own. */
const some = sampled(test, { ci: 1 / 2 });

for (const [verb, line] of Object.entries(LINES))
  some(line, ({ cli }) => {
    if (verb === 'run' || isAtLeast('all')) assert.match(cli.succeed(verb, '--help'), `Usage: sardonyx ${verb}`);
    cli.succeed(...line.split(' '));
  });

test('studio says how to install it', ({ cli }) => {
  assert.match(cli.succeed('studio', '--help'), 'Usage: sardonyx studio');
  const { status, stderr } = cli.run('studio');
  assert.equal(
    [status, stderr],
    [
      2,
      'sardonyx: sardonyx-studio is not installed in this project; run npm install sardonyx-studio, or npx sardonyx-studio\n',
    ],
  );
});

test('the whole has help and a version, and wrong usage ends with 2', ({ cli }) => {
  assert.match(cli.succeed('--help'), 'Usage: sardonyx');
  assert.match(cli.succeed('--version'), /^\d+\.\d+\.\d+\n$/);
  const { status, stdout, stderr } = cli.run();
  assert.equal([status, stdout], [2, '']);
  assert.match(stderr, /^Usage: sardonyx/);
  assert.is(cli.run('run', 'absent.onnx').status, 1);
});

test.run();
