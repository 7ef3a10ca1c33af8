import { mkdirSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { writeTensor } from '../../src/model/write-model.js';
import { loadModel } from '../../src/tools/index.js';
import { numbers } from '../session/run-model.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx debug sensitivity, and repairs');

/** Two products, of whose weights the second has a number that reaches far. */
function productsModel(): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const far = (numbers([16, 8], 5).data as Float32Array).map((w, i) => (i === 3 ? 200 : w));
  const x = b.op(
    'MatMul',
    [b.input('x', 'float32', ['n', 8]), b.constant('up', numbers([8, 16]))],
    {},
    { name: 'plain' },
  );
  const y = b.op('MatMul', [x, b.constant('down', tensor('float32', [16, 8], far))], {}, { name: 'far' });
  b.output('y', y, 'float32', ['n', 8]);
  return b.toBytes();
}

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  writeFileSync(cli.path('model.onnx'), productsModel());
  for (const i of [0, 1]) {
    mkdirSync(cli.path('data', `test_data_set_${i}`), { recursive: true });
    writeFileSync(cli.path('data', `test_data_set_${i}`, 'input_0.pb'), writeTensor(numbers([4, 8], i + 1)));
  }
});

test.after(({ cli }) => cli.remove());

test('what costs most comes first', async ({ cli }) => {
  const lines = (await cli.succeed('debug', 'sensitivity', 'model.onnx', '--data', 'data')).trim().split('\n');
  assert.match(lines[0] as string, /^node +operator +dB$/);
  assert.match(lines[1] as string, /^far +MatMul +-?\d+\.\d$/);
  assert.match(lines[2] as string, /^plain +MatMul +\d+\.\d$/);
});

test('as JSON, by type and by channel', async ({ cli }) => {
  const found = JSON.parse(
    await cli.succeed(
      'debug',
      'sensitivity',
      'model.onnx',
      '--data',
      'data',
      '--by',
      'type',
      '--per-channel',
      '--json',
    ),
  );
  assert.equal(
    found.map(({ name }: { name: string }) => name),
    ['MatMul'],
  );
  assert.type(found[0].score, 'number');
});

test('refuses options of others, and what is missing', async ({ cli }) => {
  const refused: readonly (readonly [RegExp, ...string[]])[] = [
    [/needs --data/, 'sensitivity', 'model.onnx'],
    [/--by is an option of "debug sensitivity"/, 'bisect', 'model.onnx', '--by', 'node'],
    [/--check is an option of "debug reduce"/, 'sensitivity', 'model.onnx', '--data', 'data', '--check', 'true'],
    [/runs the model on --data/, 'sensitivity', 'model.onnx', '--data', 'data', '--dim', 'n=1'],
    [/the folder does not exist/, 'sensitivity', 'model.onnx', '--data', 'nowhere'],
  ];
  for (const [message, ...words] of refused) {
    const { status, stderr } = await cli.run('debug', ...words);
    assert.is(status, 2, stderr);
    assert.match(stderr, message);
  }
});

test('quantize static: repairs, and a target that leaves out what costs most', async ({ cli }) => {
  const words = ['quantize', 'static', 'model.onnx', '--data', 'data', '-o', 'int8.onnx'];
  const { status, stderr } = await cli.run(...words, '--repair', 'adaround,bias', '--target', '35');
  assert.is(status, 0, stderr);
  assert.match(stderr, /^signal-to-noise ratio \d\d\.\d dB, 1 node kept floating-point: far$/m);
  await cli.succeed('check', 'int8.onnx', '--full');
  await cli.succeed('compare', 'int8.onnx', 'model.onnx', '--tolerance', '0.02', '--capture', 'y');
  const { proto } = await loadModel(cli.path('int8.onnx'));
  assert.is(proto.graph?.node.filter(({ opType }) => opType === 'QuantizeLinear').length, 2);
});

test('quantize static: refuses repairs that there are not, and ranges in place of samples', async ({ cli }) => {
  const refused: readonly (readonly [RegExp, ...string[]])[] = [
    [
      /--repair polish: "quantize static" accepts equalize, smooth, adaround, bias/,
      '--data',
      'data',
      '--repair',
      'polish',
    ],
    [/--repair and --target need --data/, '--target', '30'],
    [/--target -3/, '--data', 'data', '--target', '-3'],
  ];
  for (const [message, ...words] of refused) {
    const { status, stderr } = await cli.run('quantize', 'static', 'model.onnx', '-o', 'none.onnx', ...words);
    assert.is(status, 2, stderr);
    assert.match(stderr, message);
  }
});

test.run();
