import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { readValue } from '../../src/model/read-values.js';
import { readNpy } from '../../src/tensor/npy.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { f32 } from '../values.js';
import { CommandLine } from './command-line.js';
import { colorModel, plainJpeg, png, twiceModel, writeNumpy } from './fixtures.js';
import { chainModel, listModel, loopModel } from './models.js';

const test = suite<{ cli: CommandLine }>('sardonyx run');

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  writeFileSync(cli.path('twice.onnx'), twiceModel(['n', 2]));
  writeFileSync(cli.path('colors.onnx'), colorModel());
  writeFileSync(cli.path('chain.onnx'), chainModel());
  writeFileSync(cli.path('list.onnx'), listModel());
  writeFileSync(cli.path('loop.onnx'), loopModel());
  writeFileSync(cli.path('named=x.onnx'), namedModel('a=b'));
  writeNumpy(cli.path('x.npy'), f32([2, 2], [1, -2, 3, -4]));
  writeNumpy(cli.path('a=b.npy'), f32([1, 2], [5, 6]));
  writeFileSync(cli.path('orange.png'), png([255, 128, 0]));
  writeFileSync(cli.path('a=b.png'), png([255, 128, 0]));
  writeFileSync(cli.path('photo'), plainJpeg([255, 128, 0]));
});

test.after(({ cli }) => cli.remove());

const plain = ({ type, dims, data }: TensorValue): TensorValue => ({ type, dims, data });

/** y = 2x for an input of any name. */
function namedModel(name: string): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input(name, 'float32', ['n', 2]);
  b.output('y', b.op('Add', [x, x]), 'float32', ['n', 2]);
  return b.toBytes();
}

test('JSON has all elements; fewer only where they are asked for, under another name', async ({ cli }) => {
  const run = async (...options: string[]) =>
    (await cli.json('run', 'twice.onnx', '--shape', '50x2', ...options)).outputs.twice;
  assert.is((await run()).data.length, 100);
  assert.is((await run('--values', 'all')).data.length, 100);
  const { data, first } = await run('--values', '3');
  assert.equal([data, first.length], [undefined, 3]);
  assert.match(
    await cli.succeed('run', 'twice.onnx', '--shape', '50x2', '--values', 'all'),
    /^twice +float32 50×2( +\S+){100}$/m,
  );
  assert.match(await cli.succeed('run', 'twice.onnx', '--shape', '50x2'), /^twice +float32 50×2( +[\d.]+){8} …$/m);
});

test('time and threads are said, in words and in JSON', async ({ cli }) => {
  assert.match(await cli.succeed('run', 'twice.onnx'), /\ncreated in [\d.]+ m?s, first run in [\d.]+ m?s, 1 thread\n$/);
  const { milliseconds, threads } = await cli.json('run', 'twice.onnx');
  assert.ok(milliseconds.create > 0 && milliseconds.run > 0);
  assert.is(threads, 1);
});

test('a path may have an equals sign in it, and so may a name', async ({ cli }) => {
  const { outputs } = await cli.json('run', 'colors.onnx', '-i', './a=b.png', '--size', '2x2');
  assert.is(outputs.means.data[0], 1);
  assert.equal((await cli.json('run', 'twice.onnx', '-i', 'x=./a=b.npy')).outputs.twice.data, [10, 12]);
  assert.equal((await cli.json('run', 'named=x.onnx', '-i', 'a=b=x.npy')).outputs.y.data, [2, -4, 6, -8]);
  assert.equal((await cli.json('run', 'named=x.onnx', '-i', 'a=b.npy')).outputs.y.data, [10, 12]);
  assert.equal((await cli.json('run', 'named=x.onnx', '--shape', 'a=b=3x2')).outputs.y.dims, [3, 2]);
});

test('models and inputs come through standard input, arrays and images told by what they are', async ({ cli }) => {
  const model = readFileSync(cli.path('twice.onnx'));
  assert.match((await cli.runOn(model, 'inspect', '-', '--rewrites')).stdout, /^graph +doubler/m);
  const run = async (input: Uint8Array, ...args: string[]) =>
    JSON.parse((await cli.runOn(input, 'run', ...args, '--json')).stdout).outputs;
  assert.equal((await run(model, '-', '-i', 'x.npy')).twice.data, [2, -4, 6, -8]);
  assert.equal((await run(readFileSync(cli.path('x.npy')), 'twice.onnx', '-i', 'x=-')).twice.data, [2, -4, 6, -8]);
  assert.is((await run(png([255, 128, 0]), 'colors.onnx', '-i', '-', '--size', '2x2')).means.data[0], 1);
  assert.is((await cli.json('run', 'colors.onnx', '-i', 'photo')).outputs.means.dims.length, 2);
  const both = await cli.runOn(model, 'run', '-', '-i', '-');
  assert.is(both.status, 2);
  assert.match(both.stderr, /--input -: standard input is already the model/);
});

test('standard output takes one output as .npy, and nothing else', async ({ cli }) => {
  const { status, stdout, stderr } = await cli.bytes('', 'run', 'twice.onnx', '-i', 'x.npy', '-o', 'twice=-');
  assert.is(status, 0);
  assert.equal(plain(readNpy(stdout)), f32([2, 2], [2, -4, 6, -8]));
  assert.match(stderr, /^created in .*1 thread\n$/);
  const again = await cli.bytes(stdout, 'run', 'twice.onnx', '-i', '-', '-o', 'twice=-');
  assert.equal(plain(readNpy(again.stdout)), f32([2, 2], [4, -8, 12, -16]));
  assert.match((await cli.run('run', 'twice.onnx', '-o', 'twice=-', '--json')).stderr, /--output twice=-: .*--json/);
});

test('outputs go into .npy, .pb and .json files', async ({ cli }) => {
  mkdirSync(cli.path('out'));
  await cli.succeed(
    'run',
    'twice.onnx',
    '-i',
    'x.npy',
    '-o',
    'twice=out/y.npy',
    '-o',
    'positive=p.pb',
    '-o',
    'all.json',
  );
  const expected = f32([2, 2], [2, -4, 6, -8]);
  assert.equal(plain(readNpy(readFileSync(cli.path('out', 'y.npy')))), expected);
  assert.equal(readValue(readFileSync(cli.path('p.pb'))), tensor('bool', [2, 2], [true, false, true, false]));
  const { twice, positive } = JSON.parse(readFileSync(cli.path('all.json'), 'utf8'));
  assert.equal(
    [twice.data, positive.dims],
    [
      [2, -4, 6, -8],
      [2, 2],
    ],
  );
});

test('a sequence goes into a .pb file, and not into a .npy file', async ({ cli }) => {
  await cli.succeed('run', 'list.onnx', '-i', 'x.npy', '-o', 'list=list.pb');
  const rows = readValue(readFileSync(cli.path('list.pb')), 'sequence');
  assert.equal(rows, [f32([1, 2], [1, -2]), f32([1, 2], [3, -4])]);
  const { status, stderr } = await cli.run('run', 'list.onnx', '-i', 'x.npy', '-o', 'list=list.npy');
  assert.is(status, 1);
  assert.match(stderr, /--output list=list\.npy: "list" is not a tensor, and \.npy files hold only tensors/);
});

/** The chain's values for x = 1, -2, 3, -4: after Relu, after × 3, after + 1. */
const CHAIN = { relu: [1, 0, 3, 0], 'inner/tripled:0': [3, 0, 9, 0], y: [4, 1, 10, 1] };

test('values inside the graph are captured as the model defines them, at every level', async ({ cli }) => {
  for (const level of ['disabled', 'basic', 'extended', 'layout', 'all']) {
    const args = ['run', 'chain.onnx', '-i', 'x.npy', '--optimize', level, '--capture'];
    const { captured, outputs } = await cli.json(...args, 'all');
    assert.equal(Object.keys(captured), ['relu', 'inner/tripled:0']);
    for (const [name, expected] of Object.entries(CHAIN))
      assert.equal((captured[name] ?? outputs[name]).data, expected);
    assert.equal(Object.keys((await cli.json(...args, 'relu,x,one')).captured), ['relu', 'x', 'one']);
  }
});

test('captured values go into a folder, with a list of them', async ({ cli }) => {
  const text = await cli.succeed('run', 'chain.onnx', '-i', 'x.npy', '--capture', 'all', '-o', 'values');
  assert.match(text, /^2 captured values written to files only$/m);
  const { values } = JSON.parse(readFileSync(cli.path('values', 'values.json'), 'utf8'));
  for (const { name, file } of values) {
    const { data } = readNpy(readFileSync(cli.path('values', file)));
    assert.equal(Array.from(data as Float32Array), CHAIN[name as keyof typeof CHAIN]);
  }
  assert.equal(
    values.map(({ name, captured }: { name: string; captured?: true }) => [name, captured ?? false]),
    [
      ['y', false],
      ['relu', true],
      ['inner/tripled:0', true],
    ],
  );
  assert.ok(existsSync(cli.path('values', 'inner_tripled_0.npy')));
});

test('values inside subgraphs and unknown ones are refused, with those of similar names', async ({ cli }) => {
  const capture = (model: string, name: string) => cli.run('run', model, '--capture', name);
  const inside = await capture('loop.onnx', 'sum');
  assert.is(inside.status, 1);
  assert.match(inside.stderr, /--capture sum: value "sum": is inside a subgraph of Loop "repeat"/);
  assert.match(
    (await capture('chain.onnx', 'TRIPLED')).stderr,
    /the graph has no such value; it has "inner\/tripled:0"/,
  );
});

test.run();
