import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx export');

function modelOf(op: string): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  b.output('y', b.op(op, [b.input('x', 'float32', ['batch', 3])], {}, { name: 'only' }));
  return b.toBytes();
}

test.before((context) => {
  context.cli = new CommandLine();
  writeFileSync(context.cli.path('relu.onnx'), modelOf('Relu'));
});

test.after(({ cli }) => cli.remove());

test('a package of Core ML, and what is in it', async ({ cli }) => {
  const said = await cli.succeed('export', 'relu.onnx', '--to', 'coreml', '-o', 'relu.mlpackage', '--dim', 'batch=2');
  assert.match(said, /relu\.mlpackage\/Data\/com\.apple\.CoreML\/model\.mlmodel/);
  const manifest = JSON.parse(readFileSync(cli.path('relu.mlpackage', 'Manifest.json'), 'utf8'));
  const { path } = manifest.itemInfoEntries[manifest.rootModelIdentifier];
  assert.ok(readFileSync(cli.path('relu.mlpackage', 'Data', path)).includes('relu'));
  const json = await cli.succeed('export', 'relu.onnx', '--to', 'coreml', '-o', 'r', '--dim', 'batch=1', '--json');
  assert.is(JSON.parse(json).files.length, 3);
});

test('what has no equal is listed, and nothing is written', async ({ cli }) => {
  const { status, stdout } = await cli.run('export', 'relu.onnx', '--to', 'coreml', '-o', 'open.mlpackage');
  assert.is(status, 1);
  assert.match(stdout, /input +x +"x" has dynamic dimensions; Core ML needs fixed sizes/);
  assert.not.ok(existsSync(cli.path('open.mlpackage')));
  const json = await cli.run('export', 'relu.onnx', '--to', 'coreml', '-o', 'open.mlpackage', '--json');
  assert.is(JSON.parse(json.stdout).obstacles[0].operator, 'input');
});

test('usage', async ({ cli }) => {
  for (const [message, ...words] of [
    [/a folder of files/, '--to', 'coreml', '-o', '-'],
    [/--to/, '-o', 'x'],
    [/coreml/, '--to', 'tflite', '-o', 'x'],
    [/--dim batch=x/, '--to', 'coreml', '-o', 'x', '--dim', 'batch=x'],
  ] as const) {
    const { status, stderr } = await cli.run('export', 'relu.onnx', ...words);
    assert.is(status, 2, stderr);
    assert.match(stderr, message);
  }
});

test.run();
