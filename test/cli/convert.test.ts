import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toNumber } from '../../src/model/int64.js';
import { loadModel, parseModel, saveModel } from '../../src/tools/index.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx convert');

test.before(async (context) => {
  context.cli = new CommandLine();
  const softmax = parseModel(
    '<ir_version: 8, opset_import: ["" : 16]> g (float[2,3] x) => (float[2,3] y) { y = Softmax (x) }',
  );
  writeFileSync(context.cli.path('m.onnx'), await saveModel(softmax));
  const stuck = `<ir_version: 10, opset_import: ["" : 26]>
    g (float[2] x, int64[2] i) => (int32[2] y, float[2] z) {
      y = BitCast <to = 6> (x)
      z = TensorScatter (x, x, i)
    }`;
  writeFileSync(context.cli.path('stuck.onnx'), await saveModel(parseModel(stuck)));
});

test.after(({ cli }) => cli.remove());

test('writes the model in the opset, with the IR version that came with it', async ({ cli }) => {
  await cli.succeed('convert', 'm.onnx', '--opset', '12', '-o', 'old.onnx');
  const { proto } = await loadModel(readFileSync(cli.path('old.onnx')));
  assert.equal([toNumber(proto.irVersion), toNumber(proto.opsetImport[0]?.version ?? 0)], [7, 12]);
});

test('lists every node that stays behind, and writes nothing', async ({ cli }) => {
  const { status, stdout } = await cli.run('convert', 'stuck.onnx', '--opset', '23', '-o', 'none.onnx');
  assert.is(status, 1);
  assert.match(stdout, /graph\.node\[0\] +BitCast +BitCast was added in opset 26/);
  assert.match(stdout, /graph\.node\[1\] +TensorScatter +TensorScatter was added in opset 24/);
  assert.match(stdout, /2 nodes cannot be converted to opset 23\. The nearest possible opset is 26\./);
  const told = await cli.run('convert', 'stuck.onnx', '--opset', '23', '-o', 'none.onnx', '--json');
  assert.is(JSON.parse(told.stdout).reachable, 26);
  assert.not.ok(existsSync(cli.path('none.onnx')));
});

test('refuses opsets that do not exist', async ({ cli }) => {
  assert.match((await cli.run('convert', 'm.onnx', '--opset', '99', '-o', 'none.onnx')).stderr, /expected 1 to 28/);
});

test.run();
