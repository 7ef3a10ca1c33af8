import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeTensor } from '../../src/model/write-model.js';
import { loadModel, parseModel, saveModel } from '../../src/tools/index.js';
import { f32 } from '../values.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx float16');

/** Halves lose what is left when one great number is taken from another. */
const model = parseModel(`<ir_version: 10, opset_import: ["": 21]>
  g (float[8] x) => (float[8] y) <float big = {1000.0}, float k = {1e-20}> {
    [start] a = Relu(x)  [gain] b = Add(a, big)  [loss] c = Sub(b, big)  [small] d = Add(c, k)  [end] y = Neg(d) }`);

test.before(async (context) => {
  context.cli = new CommandLine();
  const { cli } = context;
  writeFileSync(cli.path('model.onnx'), await saveModel(model));
  mkdirSync(cli.path('data', 'test_data_set_0'), { recursive: true });
  const x = f32([8], [0.1, 0.2, 0.3, 0.01, 0.5, 0.7, 0.9, 2]);
  writeFileSync(cli.path('data', 'test_data_set_0', 'input_0.pb'), writeTensor(x));
});

test.after(({ cli }) => cli.remove());

const operators = async (path: string) => (await loadModel(path)).proto.graph?.node.map(({ opType }) => opType);

test('says what it did, and what it clamped', async ({ cli }) => {
  const said = await cli.succeed('float16', 'model.onnx', '-o', 'half.onnx');
  assert.match(said, /weight +too large +too small\nk +0 +1\n/);
  assert.match(said, /5 nodes converted, 0 kept\n$/);
  await cli.succeed('check', 'half.onnx', '--full');
});

test('inputs and outputs kept, operators excluded, bfloat16', async ({ cli }) => {
  const said = await cli.succeed(
    'float16',
    'model.onnx',
    '-o',
    'b.onnx',
    '--bfloat16',
    '--keep-io',
    '--exclude',
    'Neg',
  );
  assert.match(said, /nodes +kept +reason\n +1 +Neg +excluded\n/);
  assert.equal(await operators(cli.path('b.onnx')), ['Cast', 'Relu', 'Add', 'Sub', 'Add', 'Cast', 'Neg']);
});

test('--data: nodes whose numbers are too large stay', async ({ cli }) => {
  const said = await cli.succeed('float16', 'model.onnx', '-o', 'data.onnx', '--data', 'data', '--max-finite', '500');
  assert.match(said, /1 +Add +values reach 1\.00e\+3\n +1 +Sub +values reach 1\.00e\+3\n/);
});

test('--auto: within the tolerance, as compare finds, too', async ({ cli }) => {
  const options = ['--auto', '--data', 'data', '--tolerance', '1e-3'];
  const report = await cli.json('float16', 'model.onnx', '-o', 'mixed.onnx', ...options);
  assert.equal(
    report.kept.map(({ node }: { node: string }) => node),
    ['gain', 'loss'],
  );
  assert.ok(report.error <= 1e-3 && report.trials > 1);
  const { status } = await cli.run(
    'compare',
    'model.onnx',
    '--with',
    'mixed.onnx',
    '--tolerance',
    '2e-3',
    '--runs',
    '1',
  );
  assert.is(status, 0);
});

test('through pipes, with the report on standard error', async ({ cli }) => {
  const { status, stdout, stderr } = await cli.bytes(readFileSync(cli.path('model.onnx')), 'float16', '-', '-o', '-');
  assert.is(status, 0, stderr);
  assert.match(stderr, /5 nodes converted/);
  writeFileSync(cli.path('piped.onnx'), stdout);
  await cli.succeed('check', 'piped.onnx');
});

test('wrong usage', async ({ cli }) => {
  for (const [options, complaint] of [
    [['--auto'], /--auto needs --data/],
    [['--tolerance', '1e-3'], /--tolerance needs --auto/],
    [['--trials', '3'], /--trials needs --auto/],
    [['--auto', '--data', 'nowhere'], /the folder does not exist/],
  ] as const) {
    const { status, stderr } = await cli.run('float16', 'model.onnx', '-o', 'none.onnx', ...options);
    assert.is(status, 2, stderr);
    assert.match(stderr, complaint);
  }
  const { status, stderr } = await cli.run('float16', 'model.onnx', '-o', 'none.onnx', '--max-finite', '1e9');
  assert.is(status, 1);
  assert.match(stderr, /numbers from 0 to 65504/);
});

test.run();
