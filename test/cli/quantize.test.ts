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
  assert.is(await cli.succeed('quantize', 'weights', 'model.onnx', '-o', 'q8.onnx', '--bits', '8'), '');
  assert.equal(await operators(cli.path('q8.onnx')), ['MatMulNBits', 'MatMulNBits']);
  assert.ok(readFileSync(cli.path('q8.onnx')).length < 0.4 * readFileSync(cli.path('model.onnx')).length);
  await cli.succeed('check', 'q8.onnx', '--full');
  await cli.succeed('compare', 'model.onnx', '--with', 'q8.onnx', '--tolerance', '0.02', '--runs', '1');
});

test("weights: by names, in ONNX's own form", async ({ cli }) => {
  await cli.succeed(
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
  await cli.succeed('quantize', 'weights', 'model.onnx', '-o', 'gptq.onnx', '--method', 'gptq', '--data', 'data');
  assert.equal(await operators(cli.path('gptq.onnx')), ['MatMulNBits', 'MatMulNBits']);
  const { status, stderr } = await cli.run('quantize', 'weights', 'model.onnx', '-o', 'none.onnx', '--method', 'gptq');
  assert.is(status, 1);
  assert.match(stderr, /the method gptq needs feeds/);
});

test('dynamic: products of integers, through a pipe', async ({ cli }) => {
  const { stdout, stderr } = await cli.bytes(
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
  await cli.succeed('compare', 'model.onnx', '--with', 'dynamic.onnx', '--tolerance', '0.03', '--runs', '1');
});

test('the first thing that is missing is named first: the mode, the model, the output', async ({ cli }) => {
  const errorOf = async (...args: string[]) => {
    const { status, stderr } = await cli.run('quantize', ...args);
    assert.is(status, 2);
    return stderr;
  };
  const mode = "sardonyx: missing required argument 'mode' (weights, dynamic, static); see sardonyx quantize --help\n";
  assert.is(await errorOf(), mode);
  assert.is(await errorOf('-o', 'y.onnx'), mode);
  assert.match(await errorOf('weights'), /^sardonyx: missing required argument 'model'; see/);
  assert.match(await errorOf('weights', 'model.onnx'), /^sardonyx: missing required option '-o, --output <file>'; see/);
  assert.match(
    await errorOf('model.onnx'),
    /^sardonyx: 'model\.onnx' is not a mode; choose from weights, dynamic, static; see/,
  );
});

test('static: by ranges that are found, or were written', async ({ cli }) => {
  for (const [i, seed] of [3, 4].entries()) {
    mkdirSync(cli.path('samples', `test_data_set_${i}`), { recursive: true });
    writeFileSync(cli.path('samples', `test_data_set_${i}`, 'input_0.pb'), writeTensor(numbers([1, 64], seed)));
  }
  const pairs = ['DequantizeLinear', 'DequantizeLinear', 'QuantizeLinear', 'DequantizeLinear', 'MatMul'];
  assert.is(
    await cli.succeed('quantize', 'static', 'model.onnx', '-o', 'qdq.onnx', '--data', 'samples', '--method', 'mse'),
    '',
  );
  assert.equal((await operators(cli.path('qdq.onnx')))?.slice(0, 5), pairs);
  await cli.succeed('check', 'qdq.onnx', '--full');
  const said = await cli.json('calibrate', 'model.onnx', '--data', 'samples', '-o', 'ranges.json');
  assert.equal([said.output, said.method], ['ranges.json', 'minmax']);
  assert.is(said.values, Object.keys(JSON.parse(readFileSync(cli.path('ranges.json'), 'utf8')).values).length);
  await cli.succeed('calibrate', 'model.onnx', '--data', 'samples', '-o', 'cache.json', '--cache');
  assert.equal(Object.keys(JSON.parse(readFileSync(cli.path('ranges.json'), 'utf8')).values).length, 3);
  const written: Buffer[] = [];
  const options = ['--format', 'QOperator', '--per-channel'];
  for (const ranges of ['ranges.json', 'cache.json']) {
    await cli.succeed('quantize', 'static', 'model.onnx', '-o', 'q.onnx', '--ranges', ranges, ...options);
    written.push(readFileSync(cli.path('q.onnx')));
  }
  assert.equal(written[0], written[1]);
  assert.equal(await operators(cli.path('q.onnx')), [
    'QuantizeLinear',
    'QLinearMatMul',
    'QLinearMatMul',
    'DequantizeLinear',
  ]);
  await cli.succeed('compare', 'model.onnx', '--with', 'q.onnx', '--tolerance', '0.1', '--runs', '1');
});

test('static: what does not go together is refused', async ({ cli }) => {
  const refused = (...options: string[]) => cli.run('quantize', 'static', 'model.onnx', '-o', 'none.onnx', ...options);
  const said = async (status: number, pattern: RegExp, ...options: string[]) => {
    const { status: found, stderr } = await refused(...options);
    assert.match(stderr, pattern);
    assert.is(found, status);
  };
  await said(2, /needs either --data \(samples for calibration\) or --ranges/);
  await said(2, /--bits is an option of "quantize weights"/, '--bits', '4');
  await said(2, /--method gptq: "quantize static" accepts minmax, average/, '--method', 'gptq');
  await said(1, /--ranges none\.json/, '--ranges', 'none.json');
  assert.is((await cli.run('calibrate', 'model.onnx', '-o', 'none.json')).status, 2);
  assert.is((await cli.run('calibrate', 'model.onnx', '-o', 'none.json', '--data', 'nowhere')).status, 2);
});

test.run();
