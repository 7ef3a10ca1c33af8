import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx print, parse, unpack, pack');

/** y = x w, w of 4 KiB. */
function weighted(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const w = b.constant(
    'w',
    tensor(
      'float32',
      [1, 1024],
      Array.from({ length: 1024 }, (_, i) => i),
    ),
  );
  b.output('y', b.op('MatMul', [b.input('x', 'float32', ['n', 1]), w]), 'float32', ['n', 1024]);
  return b.toBytes();
}

test.before((context) => {
  context.cli = new CommandLine();
  writeFileSync(context.cli.path('m.onnx'), weighted());
});

test.after(({ cli }) => cli.remove());

const read = (cli: CommandLine, ...names: string[]) => readFileSync(cli.path(...names));

test("print writes ONNX's text, without larger tensors if it is told to", ({ cli }) => {
  const text = cli.succeed('print', 'm.onnx', '--limit', '8');
  assert.match(text, /^<\n {3}ir_version: \d+,\n {3}opset_import: \["" : 21\]/);
  assert.match(text, /float\[1,1024\] w = {1,2}\{\.\.\.\}/);
  assert.match(text, /MatMul \(x, w\)/);
  assert.match(cli.succeed('print', 'm.onnx'), /1022,1023\}/);
  assert.match(cli.run('print', 'absent.onnx').stderr, /^sardonyx: .*absent\.onnx/);
});

test('lossless text comes to the same bytes, by files and by pipes', ({ cli }) => {
  cli.succeed('print', 'm.onnx', '--lossless', '-o', 'm.txt');
  cli.succeed('parse', 'm.txt', '-o', 'again.onnx');
  assert.equal(read(cli, 'again.onnx'), read(cli, 'm.onnx'));
  const piped = cli.runOn(read(cli, 'm.txt'), 'parse', '-', '-o', 'piped.onnx');
  assert.is(piped.status, 0, piped.stderr);
  assert.equal(read(cli, 'piped.onnx'), read(cli, 'm.onnx'));
});

test('parse says where the text is wrong, and writes nothing', ({ cli }) => {
  writeFileSync(cli.path('bad.txt'), 'g () => () {\n  y = Relu[x]\n}');
  const { status, stderr } = cli.run('parse', 'bad.txt', '-o', 'bad.onnx');
  assert.is(status, 1);
  assert.match(stderr, /^sardonyx: bad\.txt: line 2, column 11: expected "\("/);
  assert.match(cli.run('parse', 'm.onnx', '-o', 'bad.onnx').stderr, /no text in UTF-8/);
  assert.not.ok(readdirSync(cli.path('.')).includes('bad.onnx'));
});

test('unpack puts weights beside a model, pack puts them back, and both run', ({ cli }) => {
  cli.succeed('unpack', 'm.onnx', '-o', 'split/m.onnx');
  assert.equal(readdirSync(cli.path('split')).sort(), ['m.onnx', 'm.onnx.data']);
  assert.is(read(cli, 'split', 'm.onnx.data').length, 4096);
  cli.succeed('pack', 'split/m.onnx', '-o', 'whole.onnx');
  assert.equal(read(cli, 'whole.onnx').length, read(cli, 'm.onnx').length);
  for (const model of ['split/m.onnx', 'whole.onnx'])
    assert.equal(
      cli.json('run', model, '--shape', '1x1', '--seed', '1').outputs,
      cli.json('run', 'm.onnx', '--shape', '1x1', '--seed', '1').outputs,
    );
});

test('unpack takes the name of the file and the least size', ({ cli }) => {
  cli.succeed(
    'unpack',
    'm.onnx',
    '-o',
    'named/m.onnx',
    '--location',
    'w/all.bin',
    '--threshold',
    '4096',
    '--attributes',
  );
  assert.is(read(cli, 'named', 'w', 'all.bin').length, 4096);
  cli.succeed('unpack', 'm.onnx', '-o', 'kept/m.onnx', '--threshold', '4097');
  assert.equal(readdirSync(cli.path('kept')), ['m.onnx']);
  const { status, stderr } = cli.run('unpack', 'm.onnx', '-o', 'x/m.onnx', '--location', '../w.bin');
  assert.is(status, 1);
  assert.match(stderr, /--output x\/m\.onnx: .*beside the model/);
  assert.is(cli.run('unpack', 'm.onnx', '-o', '-').status, 2);
});

test.run();
