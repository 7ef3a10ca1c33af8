import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadModel, parseModel, saveModel } from '../../src/tools/index.js';
import { f32 } from '../values.js';
import { CommandLine } from './command-line.js';
import { writeNumpy } from './fixtures.js';

const test = suite<{ cli: CommandLine }>('sardonyx diff, compare of two and debug');

const text = (alpha: number) => `<ir_version: 10, opset_import: ["" : 21]>
g (float[n,4] x) => (float[n,4] y) <float[4] w = {1, 2, 3, 4}> {
  a = Abs (x)
  b = LeakyRelu <alpha = ${alpha}> (x)
  c = Sub (b, a)
  d = Mul (c, w)
  e = Sqrt (d)
  y = Tanh (e)
}`;

test.before(async (context) => {
  const cli = new CommandLine();
  context.cli = cli;
  await saveModel(parseModel(text(0.1)), cli.path('one.onnx'));
  writeNumpy(cli.path('x.npy'), f32([1, 4], [-1, -2, -3, -4]));
  await saveModel(parseModel(text(0.2)), cli.path('two.onnx'));
  await saveModel(parseModel(text(0.1).replace('{1, 2, 3, 4}', '{1, 2, 3, 4.5}')), cli.path('weight.onnx'));
});

test.after(({ cli }) => cli.remove());

/** Ends with 7 where a file has a word. */
const finds = (word: string) => `if grep -q ${word} {}; then exit 7; fi`;

const operatorsOf = async (path: string) => (await loadModel(path)).proto.graph?.node.map(({ opType }) => opType);

test('diff lists differences, and exits with 1 if there are any', async ({ cli }) => {
  assert.is(await cli.succeed('diff', 'one.onnx', 'one.onnx'), 'no differences\n');
  const { status, stdout } = await cli.run('diff', 'one.onnx', 'two.onnx');
  assert.is(status, 1);
  assert.match(stdout, /^attribute +changed +graph +LeakyRelu "b"\.alpha +alpha: float = 0\.1 → alpha: float = 0\.2$/m);
  assert.match(stdout, /\n1 change: 1 attribute changed\n$/);
  const weight = await cli.run('diff', 'one.onnx', 'weight.onnx');
  assert.match(weight.stdout, /^weight +changed +graph +w +float\[4\]: 1 of 4 elements differ by up to 5\.0e-1$/m);
  assert.is(await cli.succeed('diff', 'one.onnx', 'weight.onnx', '--no-weights'), 'no differences\n');
  const { different, changes } = JSON.parse((await cli.run('diff', 'one.onnx', 'weight.onnx', '--json')).stdout);
  assert.equal([different, changes[0].weights], [true, { count: 1, of: 4, maxAbs: 0.5 }]);
  assert.match((await cli.run('diff', 'one.onnx', 'two.onnx', '--limit', '0')).stdout, /^and 1 more \(--limit\)$/m);
  const piped = await cli.runOn(readFileSync(cli.path('one.onnx')), 'diff', '-', 'two.onnx');
  assert.is(piped.status, 1);
});

test('compare of two models: all that both have, tolerances for one', async ({ cli }) => {
  const same = await cli.succeed('compare', 'one.onnx', 'one.onnx', '--dim', 'n=3', '--runs', '1');
  assert.match(same, /^ok +inner +c +float32\[3,4\]/m);
  assert.match(same, /^6 values: all within tolerance$/m);
  const args = ['compare', 'one.onnx', 'two.onnx', '-i', 'x.npy', '--runs', '1'];
  const { status, stdout } = await cli.run(...args);
  assert.is(status, 1);
  assert.match(stdout, /first in the graph: b, computed by LeakyRelu.*\n$/);
  const lenient = ['--tolerance', 'b=0.6', '--tolerance', '0.2', '--capture', 'b', '--capture', 'c'];
  // What is no number is none in both.
  assert.is((await cli.run(...args, ...lenient)).status, 0);
  assert.is(
    (await cli.run(...args, '--tolerance', 'q=1')).stderr.trim(),
    'sardonyx: --tolerance q=1: no compared value has that name',
  );
  assert.is((await cli.run('compare', 'one.onnx', 'two.onnx', '--with', 'reference')).status, 2);
});

test('reduce by a command: as it ends for the whole, so for the part', async ({ cli }) => {
  const args = ['debug', 'reduce', 'one.onnx', '-o', 'small.onnx', '--check', finds('Sqrt')];
  const { status, stdout, stderr } = await cli.run(...args);
  assert.is(status, 0);
  assert.match(stderr, /^the command ends with 7 for the whole model; .*\nwrote small\.onnx \(\d+ B\)\n$/);
  assert.match(stdout, /^6 nodes → 1 after \d+ runs: Sqrt\n$/);
  assert.equal(await operatorsOf(cli.path('small.onnx')), ['Sqrt']);
  const { nodes, operators, outcomes } = JSON.parse((await cli.run(...args, '--json')).stdout);
  assert.equal([nodes, operators], [{ before: 6, after: 1 }, ['Sqrt']]);
  assert.ok(outcomes.held > 1);
  const piped = await cli.bytes('', 'debug', 'reduce', 'one.onnx', '-o', '-', '--check', finds('Sqrt'));
  assert.ok(Buffer.compare(piped.stdout, readFileSync(cli.path('small.onnx'))) === 0);
});

test('reduce with constants for what was computed', async ({ cli }) => {
  const args = ['--constants', '--check', finds('Sub')];
  assert.is((await cli.run('debug', 'reduce', 'one.onnx', '-o', 'whole.onnx', ...args, '-i', 'x.npy')).status, 0);
  const { proto } = await loadModel(cli.path('whole.onnx'));
  assert.equal(
    proto.graph?.node.map(({ opType }) => opType),
    ['Sub'],
  );
  assert.equal(proto.graph?.input, []);
  assert.equal(proto.graph?.initializer.map(({ name }) => name).sort(), ['a', 'b']);
});

test('reduce by results that differ from those of a peer', async ({ cli }) => {
  // In float32, some hyperbolic tangents are not what they are in double precision.
  const args = ['debug', 'reduce', 'two.onnx', '-o', 'off.onnx', '--differs-from', 'reference', '--shape', '64x4'];
  const { status, stdout, stderr } = await cli.run(...args, '--tolerance', '1e-12');
  if (status === 0) assert.match(stdout, /^6 nodes → 1 after/);
  else assert.match(stderr, /returns false for the original model/);
  const none = await cli.run(...args);
  assert.is(none.status, 1);
  assert.match(none.stderr, /returns false for the original model/);
});

test('bisect says that all is right, or which rewrite is wrong', async ({ cli }) => {
  assert.match(
    await cli.succeed('debug', 'bisect', 'one.onnx', '-i', 'x.npy'),
    /^all \d+ rewrites? keep the results within tolerance\n$/,
  );
  assert.is((await cli.json('debug', 'bisect', 'two.onnx')).cause, 'none');
});

const WRONG: readonly (readonly [RegExp, ...string[]])[] = [
  [/needs --output/, 'debug', 'reduce', 'one.onnx', '--check', 'x {}'],
  [/either --check COMMAND or --differs-from PEER/, 'debug', 'reduce', 'one.onnx', '-o', 'y.onnx'],
  [/must contain {} in place of the model's path/, 'debug', 'reduce', 'one.onnx', '-o', 'y.onnx', '--check', 'true'],
  [
    /the shell cannot run the command \(exit status 127\)/,
    'debug',
    'reduce',
    'one.onnx',
    '-o',
    'y.onnx',
    '--check',
    'nonesuch {}',
  ],
  [/--differs-from is an option of "debug reduce"/, 'debug', 'bisect', 'one.onnx', '--differs-from', 'reference'],
  [/Allowed choices are reduce, bisect/, 'debug', 'enlarge', 'one.onnx'],
  [/expected onnxruntime-node/, 'debug', 'reduce', 'one.onnx', '-o', 'y.onnx', '--differs-from', 'torch'],
  [/missing required argument 'other'/, 'diff', 'one.onnx'],
  [/only one of the models can come from standard input/, 'diff', '-', '-'],
];

test('what cannot be meant is wrong usage', async ({ cli }) => {
  for (const [message, ...args] of WRONG) {
    const { status, stderr } = await cli.run(...args);
    assert.match(stderr, message);
    assert.is(status, 2, args.join(' '));
  }
});

test.run();
