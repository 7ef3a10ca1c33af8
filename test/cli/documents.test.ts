import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx print, parse, unpack, pack, simplify');

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

test("print writes ONNX's text, without the data of larger tensors unless asked", async ({ cli }) => {
  const text = await cli.succeed('print', 'm.onnx');
  assert.match(text, /^<\n {3}ir_version: \d+,\n {3}opset_import: \["" : 21\]/);
  assert.match(text, /float\[1,1024\] w = {1,2}\{\.\.\.\}/);
  assert.match(text, /MatMul \(x, w\)/);
  assert.ok(text.length < 1000);
  for (const values of ['all', '1024'])
    assert.match(await cli.succeed('print', 'm.onnx', '--values', values), /1022,1023\}/);
  assert.is(await cli.succeed('print', 'm.onnx', '--values', '1023'), text);
  assert.match((await cli.run('print', 'absent.onnx')).stderr, /^sardonyx: .*absent\.onnx/);
});

test('lossless text comes to the same bytes, by files and by pipes', async ({ cli }) => {
  await cli.succeed('print', 'm.onnx', '--lossless', '-o', 'm.txt');
  await cli.succeed('parse', 'm.txt', '-o', 'again.onnx');
  assert.equal(read(cli, 'again.onnx'), read(cli, 'm.onnx'));
  const piped = await cli.runOn(read(cli, 'm.txt'), 'parse', '-', '-o', 'piped.onnx');
  assert.is(piped.status, 0, piped.stderr);
  assert.equal(read(cli, 'piped.onnx'), read(cli, 'm.onnx'));
});

test('parse says where the text is wrong, and writes nothing', async ({ cli }) => {
  writeFileSync(cli.path('bad.txt'), 'g () => () {\n  y = Relu[x]\n}');
  const { status, stderr } = await cli.run('parse', 'bad.txt', '-o', 'bad.onnx');
  assert.is(status, 1);
  assert.match(stderr, /^sardonyx: bad\.txt: line 2, column 11: expected "\("/);
  assert.match((await cli.run('parse', 'm.onnx', '-o', 'bad.onnx')).stderr, /not UTF-8 text/);
  assert.not.ok(readdirSync(cli.path('.')).includes('bad.onnx'));
});

test('unpack puts weights beside a model, pack puts them back, and both run', async ({ cli }) => {
  mkdirSync(cli.path('split'));
  await cli.succeed('unpack', 'm.onnx', '-o', 'split/m.onnx');
  assert.equal(readdirSync(cli.path('split')).sort(), ['m.onnx', 'm.onnx.data']);
  assert.is(read(cli, 'split', 'm.onnx.data').length, 4096);
  await cli.succeed('pack', 'split/m.onnx', '-o', 'whole.onnx');
  assert.equal(read(cli, 'whole.onnx').length, read(cli, 'm.onnx').length);
  for (const model of ['split/m.onnx', 'whole.onnx'])
    assert.equal(
      (await cli.json('run', model, '--shape', '1x1', '--seed', '1')).outputs,
      (await cli.json('run', 'm.onnx', '--shape', '1x1', '--seed', '1')).outputs,
    );
});

test('unpack takes the name of the file and the least size', async ({ cli }) => {
  for (const folder of ['named/w', 'kept', 'x']) mkdirSync(cli.path(folder), { recursive: true });
  await cli.succeed(
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
  await cli.succeed('unpack', 'm.onnx', '-o', 'kept/m.onnx', '--threshold', '4097');
  assert.equal(readdirSync(cli.path('kept')), ['m.onnx']);
  const { status, stderr } = await cli.run('unpack', 'm.onnx', '-o', 'x/m.onnx', '--location', '../w.bin');
  assert.is(status, 1);
  assert.match(stderr, /--output x\/m\.onnx: .*a relative path within/);
  assert.is((await cli.run('unpack', 'm.onnx', '-o', '-')).status, 2);
});

test('simplify says what it did, and leaves passes out', async ({ cli }) => {
  const text = 'g (float[n] x) => (float[n] y) { a = Identity (x) b = Exp (a) c = Exp (a) y = Add (b, c) }';
  writeFileSync(cli.path('twins.txt'), `<ir_version: 10, opset_import: ["" : 21]> ${text}`);
  await cli.succeed('parse', 'twins.txt', '-o', 'twins.onnx');
  const said = await cli.succeed('simplify', 'twins.onnx', '-o', 'simple.onnx', '--verify', '1', '--dim', 'n=3');
  assert.match(said, /^Exp +2 +1$/m);
  assert.match(said, /4 nodes → 2/);
  assert.match(await cli.succeed('print', 'simple.onnx'), /float\[3\] x/);
  const { nodes, rewrites } = await cli.json('simplify', 'twins.onnx', '-o', 's.onnx', '--skip', 'equal nodes merged');
  assert.equal({ nodes, rewrites }, { nodes: { before: 4, after: 3 }, rewrites: { identity: 1 } });
  assert.match(await cli.succeed('simplify', '--list'), /^equal nodes merged$/m);
  assert.match(
    (await cli.run('simplify', 'twins.onnx', '-o', 's.onnx', '--skip', 'x')).stderr,
    /unknown pass "x"; the passes are/,
  );
  assert.is((await cli.run('simplify', 'twins.onnx')).status, 2);
});

test.run();
