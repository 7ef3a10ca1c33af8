import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadModel, parseModel, saveModel } from '../../src/tools/index.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx import and export');

test.before(async (context) => {
  context.cli = new CommandLine();
  const model = (text: string) => saveModel(parseModel(`<ir_version: 8, opset_import: ["" : 18]> ${text}`));
  writeFileSync(
    context.cli.path('m.onnx'),
    await model('g (float[n,3] x) => (float[n,3] y) <float[3] w = {1, 2, 3}> { y = Mul (x, w) }'),
  );
  writeFileSync(context.cli.path('stuck.onnx'), await model('g (float[2,2] x) => (float y) { y = Det (x) }'));
});

test.after(({ cli }) => cli.remove());

test('there and back', async ({ cli }) => {
  const { files } = JSON.parse(await cli.succeed('export', 'm.onnx', '--to', 'tfjs', '-o', 'web', '--json'));
  assert.equal(
    files.map(({ file }: { file: string }) => file),
    ['web/group1-shard1of1.bin', 'web/model.json'],
  );
  assert.is(readFileSync(cli.path('web/group1-shard1of1.bin')).length, 12);
  await cli.succeed('import', 'web/model.json', '-o', 'again.onnx');
  const { proto } = await loadModel(readFileSync(cli.path('again.onnx')));
  assert.equal(
    proto.graph?.node.map(({ opType }) => opType),
    ['Mul'],
  );
  assert.equal([proto.graph?.input[0]?.name, proto.graph?.output[0]?.name], ['x', 'y']);
});

test('lists every node without an equal, and writes nothing', async ({ cli }) => {
  const { status, stdout } = await cli.run('export', 'stuck.onnx', '--to', 'tfjs', '-o', 'none');
  assert.is(status, 1);
  assert.match(stdout, /Det .*TensorFlow\.js does not support this operator/);
  assert.not.ok(existsSync(cli.path('none')));
  const node = [{ name: 'a', op: 'StringSplit', input: [] }];
  writeFileSync(cli.path('stuck.json'), JSON.stringify({ modelTopology: { node } }));
  const told = await cli.run('import', 'stuck.json', '-o', 'none.onnx', '--json');
  assert.is(told.status, 1);
  assert.equal(
    JSON.parse(told.stdout).obstacles.map(({ operator }: { operator: string }) => operator),
    ['StringSplit'],
  );
  assert.not.ok(existsSync(cli.path('none.onnx')));
});

test('files of weights that are not there are named', async ({ cli }) => {
  await cli.succeed('export', 'm.onnx', '--to', 'tfjs', '-o', 'gone');
  rmSync(cli.path('gone/group1-shard1of1.bin'));
  const { status, stderr } = await cli.run('import', 'gone/model.json', '-o', 'none.onnx');
  assert.is(status, 1);
  assert.match(stderr, /group1-shard1of1\.bin/);
});

test('wrong usage', async ({ cli }) => {
  assert.is((await cli.run('export', 'm.onnx', '--to', 'tflite', '-o', 'x')).status, 2);
  assert.match((await cli.run('export', 'm.onnx', '--to', 'tfjs', '-o', '-')).stderr, /a folder of files/);
  assert.match(
    (await cli.runOn('{"modelTopology":{}}', 'import', '-', '-o', 'x.onnx')).stderr,
    /weights in other files/,
  );
});

test('a package of Core ML, of sizes that are given', async ({ cli }) => {
  const { files } = JSON.parse(
    await cli.succeed('export', 'm.onnx', '--to', 'coreml', '-o', 'M.mlpackage', '--dim', 'n=2', '--json'),
  );
  assert.equal(
    files.map(({ file }: { file: string }) => file).sort(),
    ['Data/com.apple.CoreML/model.mlmodel', 'Data/com.apple.CoreML/weights/weight.bin', 'Manifest.json'].map(
      (path) => `M.mlpackage/${path}`,
    ),
  );
  assert.ok(files.every(({ file, bytes }: { file: string; bytes: number }) => statSync(cli.path(file)).size === bytes));
  const { status, stdout } = await cli.run('export', 'stuck.onnx', '--to', 'coreml', '-o', 'none');
  assert.is(status, 1);
  assert.match(stdout, 'Det');
});

test.run();
