import { readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeTensor } from '../../src/model/write-model.js';
import { readNpy } from '../../src/tensor/npy.js';
import { f32 } from '../values.js';
import { CommandLine, withoutReports } from './command-line.js';
import { COMMANDS } from './commands.js';
import { colorModel, lightFolder, plainJpeg, png, twiceModel, writeNumpy, zooFolder } from './fixtures.js';

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
  writeFileSync(cli.path('x.txt'), 'not an array');
  writeFileSync(cli.path('x.pb'), writeTensor(f32([1, 2], [5, 6])));
  zooFolder(cli.path('models', 'right'));
  zooFolder(cli.path('models', 'wrong'), 0.01);
  lightFolder(cli.path('light'));
});

test.after(({ cli }) => cli.remove());

test('help has examples, for the whole and for each command', async ({ cli }) => {
  assert.match(
    await cli.succeed('--help'),
    /Usage: sardonyx.*Examples:.*run.*inspect.*bench.*compare.*verify.*optimize.*quantize.*completion/s,
  );
  for (const command of ['run', 'inspect', 'verify', 'bench', 'compare', 'optimize', 'quantize', 'completion'])
    assert.match(
      await cli.succeed(command, '--help'),
      new RegExp(`Usage: sardonyx ${command}.*Examples:\n  sardonyx ${command}`, 's'),
    );
  assert.match(await cli.succeed('--version'), /^\d+\.\d+\.\d+\n$/);
  const { status, stdout, stderr } = await cli.run();
  assert.equal([status, stdout], [2, '']);
  assert.match(stderr, /^Usage: sardonyx/);
});

const REFUSED: readonly (readonly [status: number, message: RegExp, ...args: string[]])[] = [
  [2, /unknown command 'xyzzy'; see sardonyx --help/, 'xyzzy'],
  [2, /unknown command 'insepct' \(Did you mean inspect\?\)/, 'insepct', 'twice.onnx'],
  [2, /unknown command 'twice\.onnx' \(did you mean "sardonyx run twice\.onnx"\?\)/, 'twice.onnx'],
  [2, /unknown option '--bogus'/, 'run', 'twice.onnx', '--bogus'],
  [
    2,
    /unknown option '--thread' \(Did you mean --threads\?\); see sardonyx run --help/,
    'run',
    'twice.onnx',
    '--thread',
  ],
  [2, /missing required argument 'model'; see sardonyx run --help/, 'run'],
  [1, /cannot read the model "models\/right".* it is a folder that contains "model\.onnx"/, 'inspect', 'models/right'],
  [2, /--runs many: "many" is not a non-negative integer/, 'bench', 'twice.onnx', '--runs', 'many'],
  [2, /--runs 0: must be at least 1/, 'bench', 'twice.onnx', '--runs', '0'],
  [2, /--threads 300: "300" is not an integer from 0 to 256/, 'run', 'twice.onnx', '--threads', '300'],
  [2, /--values few: "few" is neither an integer nor "all"/, 'run', 'twice.onnx', '--values', 'few'],
  [2, /--shape x=2y2: "2y2" is not a shape such as/, 'run', 'twice.onnx', '--shape', 'x=2y2'],
  [2, /--dim batch=x: "x" is not a non-negative integer/, 'run', 'twice.onnx', '--dim', 'batch=x'],
  [2, /--dim 4: expected NAME=VALUE/, 'bench', 'twice.onnx', '--dim', '4'],
  [
    2,
    /--dim batch=2: no input has a dimension "batch"; dynamic dimensions: n/,
    'run',
    'twice.onnx',
    '--dim',
    'batch=2',
  ],
  [2, /--dim n=3: the dimension "n" is set twice/, 'inspect', 'twice.onnx', '--dim', 'n=2', '--dim', 'n=3'],
  [2, /--mean a: "a" is not a list such as 0\.5,0\.5,0\.5/, 'run', 'colors.onnx', '--mean', 'a'],
  [2, /--input a=x\.npy: .*no input "a"; its inputs are x: float32\[n,2\]/, 'run', 'twice.onnx', '--input', 'a=x.npy'],
  [2, /--input x=x\.pb: input "x" is set twice/, 'run', 'twice.onnx', '-i', 'x.npy', '-i', 'x=x.pb'],
  [2, /--input x\.txt: not a \.npy file, a \.pb file or an image \(BMP, JPEG/, 'run', 'twice.onnx', '--input', 'x.txt'],
  [
    2,
    /--input orange\.png: the input "x" float32\[n,2\] takes no picture/,
    'run',
    'twice.onnx',
    '--input',
    'orange.png',
  ],
  [
    2,
    /--output a=y\.npy: .*no output "a"; its outputs are twice, positive/,
    'run',
    'twice.onnx',
    '--output',
    'a=y.npy',
  ],
  [2, /--output y\.npy: name the output, as in NAME=FILE: twice, positive/, 'run', 'twice.onnx', '--output', 'y.npy'],
  [2, /--output twice=y\.txt: pass a \.npy, \.pb or \.json file/, 'run', 'twice.onnx', '-o', 'twice=y.txt'],
  [
    2,
    /--labels labels\.txt: the file has 3 labels, but the last dimension of no output.*\(twice: float32\[1,2\], positive: bool\[1,2\]\)/,
    'run',
    'twice.onnx',
    '--labels',
    'labels.txt',
  ],
  [2, /Allowed choices are disabled, basic/, 'run', 'twice.onnx', '--optimize', 'fully'],
  [2, /--with torch: expected onnxruntime-node/, 'compare', 'twice.onnx', '--with', 'torch'],
  [2, /nothing to compare with: pass another model, or a peer with --with/, 'compare', 'twice.onnx'],
  [
    2,
    /--with onnxruntime-node: .*not installed in this project; run npm install onnxruntime-node/,
    'compare',
    'twice.onnx',
    '--with',
    'onnxruntime-node',
  ],
  [2, /"absent" does not exist/, 'verify', 'absent'],
  [2, /"models\/right\/test_data_set_0" has no model with test data/, 'verify', 'models/right/test_data_set_0'],
  [2, /'tcsh' is invalid for argument 'shell'.*Allowed choices are bash, zsh, fish/, 'completion', 'tcsh'],
  [2, /--bits is an option of "quantize weights"/, 'quantize', 'dynamic', 'twice.onnx', '-o', 'y.onnx', '--bits', '4'],
  [2, /the model has nothing to quantize in this mode/, 'quantize', 'weights', 'twice.onnx', '-o', 'y.onnx'],
  [1, /bits: expected 2, 4, 8, got 5/, 'quantize', 'weights', 'twice.onnx', '-o', 'y.onnx', '--bits', '5'],
  [1, /cannot read the model "absent\.onnx"/, 'run', 'absent.onnx'],
  [1, /--input absent\.npy: cannot read "absent\.npy"/, 'run', 'twice.onnx', '--input', 'absent.npy'],
  [1, /--labels absent\.txt: no such file/, 'run', 'twice.onnx', '--labels', 'absent.txt'],
  [1, /--output twice=x\.npy\/y\.npy: cannot write "x\.npy\/y\.npy"/, 'run', 'twice.onnx', '-o', 'twice=x.npy/y.npy'],
  [1, /not an ONNX model/, 'inspect', 'labels.txt'],
  [1, /--input broken\.npy: broken\.npy: these bytes are no \.npy file/, 'run', 'twice.onnx', '--input', 'broken.npy'],
  [1, /--shape x=2x3: .*expected dims \[n,2\], got \[2,3\]/, 'run', 'twice.onnx', '--shape', 'x=2x3'],
  [1, /--capture nowhere: .*the graph has no such value/, 'run', 'twice.onnx', '--capture', 'nowhere'],
];

for (const [status, message, ...args] of REFUSED) {
  test(`sardonyx ${args.join(' ')}: one line and exit status ${status}`, async ({ cli }) => {
    const outcome = await cli.run(...args);
    assert.match(outcome.stderr, message);
    assert.match(withoutReports(outcome.stderr), /^sardonyx: .*\n$/);
    assert.equal([outcome.status, outcome.stdout], [status, '']);
  });
}

test('the page about the command line has every option of every command, and no others', async ({ cli }) => {
  const page = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
  const optionsIn = (text: string) => new Set(text.match(/(?<=[\s`|])--[a-z][a-z-]*/g));
  const listedIn = (help: string) =>
    Array.from(help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm), ([, option]) => option as string);
  const sections = new Map(page.split(/^## /m).map((section) => [section.split('\n')[0], section]));
  const helps = new Map<string, string>();
  for (const command of COMMANDS) helps.set(command, await cli.succeed(command, '--help'));
  const declared = new Set([...helps.values()].flatMap(listedIn));
  const general = ['--help', '--version', '--debug', '--json'];
  for (const [command, help] of helps) {
    const text = `${sections.get('Sessions')}${sections.get('Inputs')}${sections.get(command)}`;
    for (const option of listedIn(help))
      if (!general.includes(option)) assert.ok(optionsIn(text).has(option), `${command} ${option}`);
  }
  for (const option of optionsIn(page)) assert.ok(declared.has(option), option);
});

test('--debug adds the stack', async ({ cli }) => {
  assert.match(
    (await cli.run('--debug', 'run', 'absent.onnx')).stderr,
    /^sardonyx: .*Error.*\n +at .*\nhttps:.*file-not-found\.md$/ms,
  );
});

test('run prints outputs, from .npy, from .pb and generated', async ({ cli }) => {
  const text = await cli.succeed('run', 'twice.onnx', '--input', 'x=x.npy');
  assert.match(text, /^twice +float32 2×2 +2 -4 6 -8$/m);
  assert.match(text, /^positive +bool 2×2 +1 0 1 0$/m);
  assert.equal((await cli.json('run', 'twice.onnx', '-i', 'x.pb')).outputs.twice.data, [10, 12]);

  const generated = (await cli.json('run', 'twice.onnx', '--dim', 'n=3', '--seed', '7')).outputs.twice;
  assert.equal(generated.dims, [3, 2]);
  assert.ok(generated.data.every((value: number) => value >= 0 && value <= 2));
  assert.equal((await cli.json('run', 'twice.onnx', '--shape', '3x2', '--seed', '7')).outputs.twice, generated);
  assert.not.equal((await cli.json('run', 'twice.onnx', '--shape', '3x2', '--seed', '8')).outputs.twice, generated);
});

test('run writes outputs as .npy', async ({ cli }) => {
  await cli.succeed('run', 'twice.onnx', '-i', 'x.npy', '-o', 'twice=y.npy', '-o', 'positive=p.npy');
  const { type, dims, data } = readNpy(readFileSync(cli.path('y.npy')));
  assert.equal({ type, dims, data }, f32([2, 2], [2, -4, 6, -8]));
  assert.is(readNpy(readFileSync(cli.path('p.npy'))).type, 'bool');
});

const means = async (cli: CommandLine, file: string, ...options: string[]): Promise<number[]> =>
  (await cli.json('run', 'colors.onnx', '--input', file, '--size', '2x2', ...options)).outputs.means.data;

const near = (actual: readonly number[], expected: readonly number[], bound: number): void => {
  for (const [i, value] of expected.entries())
    assert.ok(Math.abs((actual[i] as number) - value) <= bound, `[${actual}] is not near [${expected}]`);
};

test('run brings images to the size, range and order that the model asks for', async ({ cli }) => {
  near(await means(cli, 'orange.png'), [1, 128 / 255, 0], 1e-6);
  near(await means(cli, 'orange.png', '--bgr'), [0, 128 / 255, 1], 1e-6);
  near(await means(cli, 'orange.png', '--normalize', 'signed'), [1, 1 / 255, -1], 1e-6);
  near(await means(cli, 'orange.png', '--normalize', 'bytes'), [255, 128, 0], 1e-4);
  near(await means(cli, 'orange.png', '--mean', '0.5,0,1', '--std', '0.5,2,1'), [1, 64 / 255, -1], 1e-6);
  // The triangle filter of radius 3 around 1.5 weighs the columns 2 : 3 : 2 : 1 : 0 : 0; the third and fourth are orange.
  near(await means(cli, 'orange.png', '--fit', 'stretch'), [3 / 8, ((3 / 8) * 128) / 255, 0], 1e-6);
  near(await means(cli, 'orange.jpg'), [1, 128 / 255, 0], 0.01);
});

test('bench and inspect take images as run does', async ({ cli }) => {
  const image = ['colors.onnx', '-i', 'orange.png', '--size', '2x2', '--fit', 'contain', '--normalize', 'signed'];
  const others = ['--mean', '0.5', '--std', '0.25', '--bgr'];
  assert.is((await cli.json('bench', ...image, ...others, '--runs', '2')).runs, 2);
  // 2 × 2 pixels of 3 channels are less than the 6 × 2 that the image has.
  const peak = async (...options: string[]) =>
    (await cli.json('inspect', 'colors.onnx', '-i', 'orange.png', ...options)).memory.peak;
  assert.ok((await peak('--size', '2x2')) < (await peak()));
  assert.ok((await cli.json('inspect', ...image, ...others)).memory);
});

test('run names the likeliest classes', async ({ cli }) => {
  const args = ['run', 'colors.onnx', '-i', 'orange.png', '--labels', 'labels.txt'];
  assert.match(
    await cli.succeed(...args, '--size', '2x2', '--top', '2'),
    /means\[0\]\n +0 +red +1\n +1 +green +0\.501961\n\ncreated in .*, first run in .*, 1 thread\n$/,
  );
  const { top } = (await cli.json(...args, '--size', '2x2')).outputs.means;
  assert.equal(
    top[0].map(({ label }: { label: string }) => label),
    ['red', 'green', 'blue'],
  );
});

test('inspect prints the facts of a model', async ({ cli }) => {
  const text = await cli.succeed('inspect', 'twice.onnx');
  for (const line of [/^graph +doubler, 2 nodes$/m, /^input +x: float32\[n,2\]$/m, /^metadata +license = none$/m])
    assert.match(text, line);
  const summary = await cli.json('inspect', 'twice.onnx', '--dim', 'n=100');
  assert.equal(summary.opsets, { 'ai.onnx': 21 });
  assert.equal(summary.weights, { parameters: 2, bytes: 8 });
  assert.equal(summary.operators, [
    { operator: 'Greater', count: 1, supported: true },
    { operator: 'Mul', count: 1, supported: true },
  ]);
  assert.is(summary.multiplyAdds, 0);
  assert.ok(summary.memory.peak >= summary.memory.lowerBound && summary.memory.lowerBound >= 800);
});

test('inspect prints the guards of the plan', async ({ cli }) => {
  const text = await cli.succeed('inspect', 'twice.onnx', '--guards', '--dim', 'n=100');
  assert.match(text, /The plan for n=100 serves other sizes under these conditions:/);
  assert.match(text, /8\*n ≤ 800 +a new plan/);
  const { plan } = await cli.json('inspect', 'twice.onnx', '--guards', '--dim', 'n=100');
  assert.equal(plan.sizes, { n: 100 });
});

test('inspect numbers the rewrites', async ({ cli }) => {
  const { rewrites } = await cli.json('inspect', 'colors.onnx', '--rewrites');
  assert.ok(rewrites.length > 0 && rewrites.every(({ rule }: { rule: string }) => rule !== ''));
  assert.match(
    await cli.succeed('inspect', 'colors.onnx', '--rewrites'),
    new RegExp(`^ *${rewrites.length} +\\S`, 'm'),
  );
  assert.equal(
    (await cli.json('inspect', 'colors.onnx', '--rewrites', '--max-rewrites', '1')).rewrites,
    rewrites.slice(0, 1),
  );
});

test('verify passes where all data sets agree', async ({ cli }) => {
  const text = await cli.succeed('verify', 'models/right');
  assert.match(text, /^ok +right +0 +twice +float32\[1,2\] +0 +0$/m);
  assert.match(text, /^ok +right +1 +positive +bool\[3,2\]/m);
  assert.match(text, /^1 model, 4 outputs: all within tolerance$/m);
  assert.match(await cli.succeed('verify', 'models/right/model.onnx', 'light'), /2 models, 6 outputs/);
});

test('verify fails where one output is out of tolerance', async ({ cli }) => {
  const { status, stdout, stderr } = await cli.run('verify', 'models');
  assert.equal([status, stderr], [1, '']);
  assert.match(stdout, /^FAIL +wrong +1 +twice +float32\[3,2\] +\d\.\de-3 +1\.0e-2$/m);
  assert.match(stdout, /2 models, 8 outputs: 1 out of tolerance/);
  assert.match(await cli.succeed('verify', 'models', '--tolerance', '0.01'), /all within tolerance/);

  const { failed, outputs } = JSON.parse((await cli.run('verify', 'models', '--json')).stdout);
  assert.is(failed, 1);
  const wrong = outputs.filter(({ passed }: { passed: boolean }) => !passed);
  assert.equal([wrong[0].model, wrong[0].set, wrong[0].output], ['wrong', '1', 'twice']);
});

test('verify takes the optimizer options', async ({ cli }) => {
  for (const options of [
    ['--max-rewrites', '0'],
    ['--optimize', 'disabled'],
    ['--variant', 'simd'],
    ['--providers', 'reference,wasm'],
  ])
    await cli.succeed('verify', 'models/right', ...options);
});

test('limits are kept', async ({ cli }) => {
  await cli.succeed(
    'verify',
    'models/right',
    '--limit-memory',
    '100000000',
    '--limit-nodes',
    '100',
    '--limit-time',
    '600000',
  );
  for (const [options, message] of [
    [['--limit-memory', '1000'], /more than the limit of 1,000; .* raise memoryBytes/],
    [['--limit-time', '0.5'], /--limit-time/],
    [['--limit-nodes', '0'], /--limit-nodes/],
  ] as const) {
    const { status, stderr } = await cli.run('run', 'twice.onnx', ...options);
    assert.is.not(status, 0);
    assert.match(stderr, message);
  }
});

test('bench writes a trace of steps', async ({ cli }) => {
  await cli.json('bench', 'twice.onnx', '--runs', '2', '--trace', 'twice.json');
  const { traceEvents } = JSON.parse(readFileSync(cli.path('twice.json'), 'utf8'));
  const slices = traceEvents.filter(({ ph }: { ph: string }) => ph === 'X').map(({ name }: { name: string }) => name);
  assert.equal(
    slices.filter((name: string) => name.startsWith('run ')),
    ['run 0', 'run 1', 'run 2'],
  );
  assert.ok(slices.length > 3);
});

test('bench times runs, and operators and kernels', async ({ cli }) => {
  const { runs, milliseconds, steps, machine, threads } = await cli.json(
    'bench',
    'twice.onnx',
    '--runs',
    '7',
    '--profile',
  );
  assert.is(threads, 1);
  assert.is(machine.host, `Node ${process.versions.node}`);
  assert.ok(['simd', 'relaxed'].includes(machine.kernels) && machine.cores > 0 && machine.cpu !== '');
  assert.is(runs, 7);
  for (const figure of ['create', 'first', 'median', 'min', 'p95']) assert.ok(milliseconds[figure] > 0, figure);
  assert.ok(milliseconds.min <= milliseconds.median && milliseconds.median <= milliseconds.p95);
  assert.ok(steps.length > 0 && steps.every(({ kernel }: { kernel: string }) => kernel !== ''));
  const text = await cli.succeed('bench', 'twice.onnx', '--seconds', '0.01', '--variant', 'simd');
  for (const line of [/^machine +\S.*, \d+ cores?, \w+ \w+$/m, /^host +Node /m, /^kernels +simd, 1 thread$/m])
    assert.match(text, line);
  assert.match(text, /^median +[\d.]+ ms$/m);
});

test.run();
