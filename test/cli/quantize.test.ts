import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { writeTensor } from '../../src/model/write-model.js';
import { loadModel } from '../../src/tools/index.js';
import { numbers } from '../session/run-model.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx quantize');

/** Two products of 64 × 32 weights. */
function productsModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const weight = (name: string, rows: number, columns: number) => b.constant(name, numbers([rows, columns], rows));
  const x = b.op('MatMul', [b.input('x', 'float32', [1, 64]), weight('up', 64, 32)], {}, { name: 'first' });
  b.output('y', b.op('MatMul', [x, weight('down', 32, 64)], {}, { name: 'second' }), 'float32', [1, 64]);
  return b.toBytes();
}

test.before((context) => {
  context.cli = new CommandLine();
  writeFileSync(context.cli.path('model.onnx'), productsModel());
});

test.after(({ cli }) => cli.remove());

const operators = async (path: string) => (await loadModel(path)).proto.graph?.node.map(({ opType }) => opType);

test('weights: a smaller model, whose results compare', async ({ cli }) => {
  assert.is(cli.succeed('quantize', 'weights', 'model.onnx', '-o', 'q8.onnx', '--bits', '8'), '');
  assert.equal(await operators(cli.path('q8.onnx')), ['MatMulNBits', 'MatMulNBits']);
  assert.ok(readFileSync(cli.path('q8.onnx')).length < 0.4 * readFileSync(cli.path('model.onnx')).length);
  cli.succeed('check', 'q8.onnx', '--full');
  cli.succeed('compare', 'model.onnx', '--with', 'q8.onnx', '--tolerance', '0.02', '--runs', '1');
});

test("weights: by names, in ONNX's own form", async ({ cli }) => {
  cli.succeed(
    'quantize',
    'weights',
    'model.onnx',
    '-o',
    'dq.onnx',
    '--format',
    'DequantizeLinear',
    '--exclude',
    'sec*',
  );
  assert.equal(await operators(cli.path('dq.onnx')), ['DequantizeLinear', 'MatMul', 'MatMul']);
});

test('weights: by what a folder of data sets has for inputs', async ({ cli }) => {
  mkdirSync(cli.path('data', 'test_data_set_0'), { recursive: true });
  writeFileSync(cli.path('data', 'test_data_set_0', 'input_0.pb'), writeTensor(numbers([1, 64], 3)));
  cli.succeed('quantize', 'weights', 'model.onnx', '-o', 'gptq.onnx', '--method', 'gptq', '--data', 'data');
  assert.equal(await operators(cli.path('gptq.onnx')), ['MatMulNBits', 'MatMulNBits']);
  const { status, stderr } = cli.run('quantize', 'weights', 'model.onnx', '-o', 'none.onnx', '--method', 'gptq');
  assert.is(status, 1);
  assert.match(stderr, /the method gptq takes feeds/);
});

test('dynamic: products of integers, through a pipe', async ({ cli }) => {
  const { stdout, stderr } = cli.bytes(
    productsModel(),
    'quantize',
    'dynamic',
    '-',
    '-o',
    '-',
    '--types',
    'MatMul',
    '--per-channel',
  );
  assert.is(stderr, '');
  writeFileSync(cli.path('dynamic.onnx'), stdout);
  const found = await operators(cli.path('dynamic.onnx'));
  assert.is(found?.filter((op) => op === 'MatMulInteger').length, 2);
  cli.succeed('compare', 'model.onnx', '--with', 'dynamic.onnx', '--tolerance', '0.03', '--runs', '1');
});

test.run();
