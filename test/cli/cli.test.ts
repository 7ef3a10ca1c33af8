import { readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeTensor } from '../../src/model/write-model.js';
import { readNpy } from '../../src/tensor/npy.js';
import { CommandLine } from './command-line.js';
import { colorModel, f32, lightFolder, plainJpeg, png, twiceModel, writeNumpy, zooFolder } from './fixtures.js';

const test = suite<{ cli: CommandLine }>('the command line');

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  writeFileSync(cli.path('twice.onnx'), twiceModel(['n', 2]));
  writeFileSync(cli.path('colors.onnx'), colorModel());
  writeFileSync(cli.path('labels.txt'), 'red\ngreen\nblue\n');
  writeFileSync(cli.path('orange.png'), png([255, 128, 0]));
  writeFileSync(cli.path('orange.jpg'), plainJpeg([255, 128, 0]));
  writeNumpy(cli.path('x.npy'), f32([2, 2], [1, -2, 3, -4]));
  writeFileSync(cli.path('broken.npy'), 'not an array');
  writeFileSync(cli.path('x.pb'), writeTensor(f32([1, 2], [5, 6])));
  zooFolder(cli.path('models', 'right'));
  zooFolder(cli.path('models', 'wrong'), 0.01);
  lightFolder(cli.path('light'));
});

test.after(({ cli }) => cli.remove());

/** Standard output of a command that must succeed. */
function succeed(cli: CommandLine, ...args: string[]): string {
  const { status, stdout, stderr } = cli.run(...args);
  assert.is(stderr, '');
  assert.is(status, 0);
  return stdout;
}

const json = (cli: CommandLine, ...args: string[]) => JSON.parse(succeed(cli, ...args, '--json'));

test('help has examples, for the whole and for each command', ({ cli }) => {
  assert.match(succeed(cli, '--help'), /Usage: sardonyx.*run.*inspect.*verify.*bench.*Examples:/s);
  for (const command of ['run', 'inspect', 'verify', 'bench'])
    assert.match(
      succeed(cli, command, '--help'),
      new RegExp(`Usage: sardonyx ${command}.*Examples:\n  sardonyx ${command}`, 's'),
    );
  assert.match(succeed(cli, '--version'), /^\d+\.\d+\.\d+\n$/);
  const { status, stdout, stderr } = cli.run();
  assert.equal([status, stdout], [2, '']);
  assert.match(stderr, /^Usage: sardonyx/);
});

const REFUSED: readonly (readonly [status: number, message: RegExp, ...args: string[]])[] = [
  [2, /unknown command 'walk'/, 'walk'],
  [2, /unknown option '--bogus'/, 'run', 'twice.onnx', '--bogus'],
  [2, /missing required argument 'model'/, 'run'],
  [2, /"many" is not a whole number/, 'bench', 'twice.onnx', '--runs', 'many'],
  [2, /"2y2" is not a shape such as/, 'run', 'twice.onnx', '--shape', 'x=2y2'],
  [2, /no input "a"; its inputs are x: float32\[n,2\]/, 'run', 'twice.onnx', '--input', 'a=x.npy'],
  [2, /no output "a"; its outputs are twice, positive/, 'run', 'twice.onnx', '--output', 'a=y.npy'],
  [2, /no input has a dimension "batch"; open dimensions: n/, 'run', 'twice.onnx', '--dim', 'batch=2'],
  [2, /inputs are \.npy, \.pb, \.png or \.jpg files/, 'run', 'twice.onnx', '--input', 'x.txt'],
  [2, /Allowed choices are disabled, basic/, 'run', 'twice.onnx', '--optimize', 'fully'],
  [2, /there is no "absent"/, 'verify', 'absent'],
  [2, /"models\/right\/test_data_set_0" holds no model with test data/, 'verify', 'models/right/test_data_set_0'],
  [1, /cannot read the model "absent\.onnx"/, 'run', 'absent.onnx'],
  [1, /cannot read "absent\.npy"/, 'run', 'twice.onnx', '--input', 'absent.npy'],
  [1, /no ONNX model/, 'inspect', 'labels.txt'],
  [1, /broken\.npy: these bytes are no \.npy file/, 'run', 'twice.onnx', '--input', 'broken.npy'],
  [1, /must have dims \[n,2\], not \[2,3\]/, 'run', 'twice.onnx', '--shape', 'x=2x3'],
];

for (const [status, message, ...args] of REFUSED) {
  test(`sardonyx ${args.join(' ')}: one line and exit status ${status}`, ({ cli }) => {
    const outcome = cli.run(...args);
    assert.match(outcome.stderr, /^sardonyx: .*\n$/);
    assert.match(outcome.stderr, message);
    assert.equal([outcome.status, outcome.stdout], [status, '']);
  });
}

test('--debug adds the stack', ({ cli }) => {
  assert.match(cli.run('--debug', 'run', 'absent.onnx').stderr, /^sardonyx: .*Error.*\n +at /s);
});

test('run prints outputs, from .npy, from .pb and generated', ({ cli }) => {
  const text = succeed(cli, 'run', 'twice.onnx', '--input', 'x=x.npy');
  assert.match(text, /^twice +float32 2×2 +2 -4 6 -8$/m);
  assert.match(text, /^positive +bool 2×2 +1 0 1 0$/m);
  assert.equal(json(cli, 'run', 'twice.onnx', '-i', 'x.pb').outputs.twice.data, [10, 12]);

  const generated = json(cli, 'run', 'twice.onnx', '--dim', 'n=3', '--seed', '7').outputs.twice;
  assert.equal(generated.dims, [3, 2]);
  assert.ok(generated.data.every((value: number) => value >= 0 && value <= 2));
  assert.equal(json(cli, 'run', 'twice.onnx', '--shape', '3x2', '--seed', '7').outputs.twice, generated);
  assert.not.equal(json(cli, 'run', 'twice.onnx', '--shape', '3x2', '--seed', '8').outputs.twice, generated);
});

test('run writes outputs as .npy', ({ cli }) => {
  succeed(cli, 'run', 'twice.onnx', '-i', 'x.npy', '-o', 'twice=y.npy', '-o', 'positive=p.npy');
  const { type, dims, data } = readNpy(readFileSync(cli.path('y.npy')));
  assert.equal({ type, dims, data }, f32([2, 2], [2, -4, 6, -8]));
  assert.is(readNpy(readFileSync(cli.path('p.npy'))).type, 'bool');
});

const means = (cli: CommandLine, file: string, ...options: string[]): number[] =>
  json(cli, 'run', 'colors.onnx', '--input', file, '--size', '2x2', ...options).outputs.means.data;

const near = (actual: readonly number[], expected: readonly number[], bound: number): void => {
  for (const [i, value] of expected.entries())
    assert.ok(Math.abs((actual[i] as number) - value) <= bound, `[${actual}] is not near [${expected}]`);
};

test('run brings images to the size, range and order that the model asks for', ({ cli }) => {
  near(means(cli, 'orange.png'), [1, 128 / 255, 0], 1e-6);
  near(means(cli, 'orange.png', '--bgr'), [0, 128 / 255, 1], 1e-6);
  near(means(cli, 'orange.png', '--normalize', 'signed'), [1, 1 / 255, -1], 1e-6);
  near(means(cli, 'orange.png', '--normalize', 'bytes'), [255, 128, 0], 1e-4);
  near(means(cli, 'orange.png', '--mean', '0.5,0,1', '--std', '0.5,2,1'), [1, 64 / 255, -1], 1e-6);
  // The triangle filter of radius 3 around 1.5 weighs the columns 2 : 3 : 2 : 1 : 0 : 0; the third and fourth are orange.
  near(means(cli, 'orange.png', '--fit', 'stretch'), [3 / 8, ((3 / 8) * 128) / 255, 0], 1e-6);
  near(means(cli, 'orange.jpg'), [1, 128 / 255, 0], 0.01);
});

test('run names the likeliest classes', ({ cli }) => {
  const args = ['run', 'colors.onnx', '-i', 'orange.png', '--labels', 'labels.txt'];
  assert.match(
    succeed(cli, ...args, '--size', '2x2', '--top', '2'),
    /means\[0\]\n +0 +red +1\n +1 +green +0\.501961\n$/,
  );
  const { top } = json(cli, ...args, '--size', '2x2').outputs.means;
  assert.equal(
    top[0].map(({ label }: { label: string }) => label),
    ['red', 'green', 'blue'],
  );
});

test('inspect says what a model is', ({ cli }) => {
  const text = succeed(cli, 'inspect', 'twice.onnx');
  for (const line of [/^graph +doubler, 2 nodes$/m, /^input +x: float32\[n,2\]$/m, /^metadata +license = none$/m])
    assert.match(text, line);
  const summary = json(cli, 'inspect', 'twice.onnx', '--dim', 'n=100');
  assert.equal(summary.opsets, { 'ai.onnx': 21 });
  assert.equal(summary.weights, { parameters: 2, bytes: 8 });
  assert.equal(summary.operators, [
    { operator: 'Greater', count: 1, supported: true },
    { operator: 'Mul', count: 1, supported: true },
  ]);
  assert.is(summary.multiplyAdds, 0);
  assert.ok(summary.memory.peak >= summary.memory.lowerBound && summary.memory.lowerBound >= 800);
});

test('inspect numbers the rewrites', ({ cli }) => {
  const { rewrites } = json(cli, 'inspect', 'colors.onnx', '--rewrites');
  assert.ok(rewrites.length > 0 && rewrites.every(({ rule }: { rule: string }) => rule !== ''));
  assert.match(succeed(cli, 'inspect', 'colors.onnx', '--rewrites'), new RegExp(`^ *${rewrites.length} +\\S`, 'm'));
  assert.equal(json(cli, 'inspect', 'colors.onnx', '--rewrites', '--max-rewrites', '1').rewrites, rewrites.slice(0, 1));
});

test('verify passes where all data sets agree', ({ cli }) => {
  const text = succeed(cli, 'verify', 'models/right');
  assert.match(text, /^ok +right +0 +twice +float32\[1,2\] +0 +0$/m);
  assert.match(text, /^ok +right +1 +positive +bool\[3,2\]/m);
  assert.match(text, /^1 model, 4 outputs: all within tolerance$/m);
  assert.match(succeed(cli, 'verify', 'models/right/model.onnx', 'light'), /2 models, 6 outputs/);
});

test('verify fails where one output is out of tolerance', ({ cli }) => {
  const { status, stdout, stderr } = cli.run('verify', 'models');
  assert.equal([status, stderr], [1, '']);
  assert.match(stdout, /^FAIL +wrong +1 +twice +float32\[3,2\] +\d\.\de-3 +1\.0e-2$/m);
  assert.match(stdout, /2 models, 8 outputs: 1 out of tolerance/);
  assert.match(succeed(cli, 'verify', 'models', '--tolerance', '0.01'), /all within tolerance/);

  const { failed, outputs } = JSON.parse(cli.run('verify', 'models', '--json').stdout);
  assert.is(failed, 1);
  const wrong = outputs.filter(({ passed }: { passed: boolean }) => !passed);
  assert.equal([wrong[0].model, wrong[0].set, wrong[0].output], ['wrong', '1', 'twice']);
});

test('verify takes the optimizer options', ({ cli }) => {
  for (const options of [
    ['--max-rewrites', '0'],
    ['--optimize', 'disabled'],
    ['--variant', 'simd'],
  ])
    succeed(cli, 'verify', 'models/right', ...options);
});

test('bench times runs, and operators and kernels', ({ cli }) => {
  const { runs, milliseconds, steps } = json(cli, 'bench', 'twice.onnx', '--runs', '7', '--profile');
  assert.is(runs, 7);
  for (const figure of ['create', 'first', 'median', 'min', 'p95']) assert.ok(milliseconds[figure] > 0, figure);
  assert.ok(milliseconds.min <= milliseconds.median && milliseconds.median <= milliseconds.p95);
  assert.ok(steps.length > 0 && steps.every(({ kernel }: { kernel: string }) => kernel !== ''));
  assert.match(succeed(cli, 'bench', 'twice.onnx', '--seconds', '0.01'), /^median +[\d.]+ ms$/m);
});

test.run();
