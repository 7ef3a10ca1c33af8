import { readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { int, modelBuilder } from '../../src/builder/index.js';
import { CommandLine } from './command-line.js';
import { chainModel } from './models.js';

const test = suite<{ cli: CommandLine }>('sardonyx infer');

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  writeFileSync(cli.path('chain.onnx'), chainModel());
  writeFileSync(cli.path('broken.onnx'), brokenModel());
});

test.after(({ cli }) => cli.remove());

/** Matrices that do not go together, and what does not follow from them. */
function brokenModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const a = b.input('a', 'float32', [2, 3]);
  b.output('y', b.op('MatMul', [a, b.input('b', 'float32', [4, 5])]), 'float32', [2, 5]);
  b.output('z', b.op('Softmax', [a], { axis: int(1) }), 'float32', [2, 3]);
  return b.toBytes();
}

test('types are written into the model', async ({ cli }) => {
  const said = await cli.succeed('infer', 'chain.onnx', '-o', 'inferred.onnx');
  assert.is(said, '3 values: 3 with known rank, 0 with fixed shape\n');
  assert.match(await cli.succeed('print', 'inferred.onnx'), /float\[n,2\] relu, float\[n,2\] "inner\/tripled:0"/);
});

test('a size that is given is put in place of its name', async ({ cli }) => {
  const said = await cli.succeed('infer', 'chain.onnx', '-o', 'sized.onnx', '--dim', 'n=4', '--strict');
  assert.match(said, /3 with known rank, 3 with fixed shape/);
  assert.match(await cli.succeed('print', 'sized.onnx'), /float\[4,2\] x\) => \(float\[4,2\] y\)/);
  const { status, stderr } = await cli.run('infer', 'chain.onnx', '-o', 'sized.onnx', '--dim', 'm=4');
  assert.equal([status, stderr], [2, 'sardonyx: --dim: the model has no dynamic dimension "m"; it has "n"\n']);
});

test('what cannot be inferred is said, and with --strict an error', async ({ cli }) => {
  const { status, stdout, stderr } = await cli.run('infer', 'broken.onnx', '-o', 'open.onnx');
  assert.is(status, 0);
  assert.match(stdout, /2 values: 2 with known rank/);
  assert.match(stderr, /^unresolved: graph\.node\[0\]: MatMul: .*\nwrote open\.onnx .*\n$/);
  const strict = await cli.run('infer', 'broken.onnx', '-o', 'strict.onnx', '--strict');
  assert.is(strict.status, 1);
  assert.match(strict.stderr, /graph\.node\[0\]/);
  assert.throws(() => readFileSync(cli.path('strict.onnx')));
});

test('to standard output, from standard input', async ({ cli }) => {
  const { status, stdout } = await cli.bytes(chainModel(), 'infer', '-', '-o', '-');
  assert.is(status, 0);
  assert.match((await cli.runOn(stdout, 'print', '-')).stdout, /float\[n,2\] relu/);
});

test.run();
