import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { encodeExactly } from '../../src/model/document/encode.js';
import { parseModel } from '../../src/tools/text.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx extract, merge, inline, edit');

const MODELS = {
  'chain.onnx': `<ir_version: 10, opset_import: ["": 20]>
    g (float[1, 3] x) => (float[1, 3] y) <float[3] w = {1, 2, 3}, float[3] v = {1, 2, 3}> {
      [add] t = Add(x, w)  [mul] u = Mul(t, v)  y = Neg(u)  dead = Abs(x)
    }`,
  'colon.onnx': `<ir_version: 10, opset_import: ["": 20]>
    g (float[1, 3] "in:0") => (float[1, 3] z) { z = Abs("in:0") }`,
  'calls.onnx': `<ir_version: 10, opset_import: ["": 20, "my.fns": 1]>
    g (float[N] x) => (float[N] y) { t = my.fns.f(x)  y = my.fns.h(t) }
    <domain: "my.fns", opset_import: ["": 20]> f (a) => (b) { b = Abs(a) }
    <domain: "my.fns", opset_import: ["": 20]> h (a) => (b) { b = Neg(a) }`,
};

test.before((context) => {
  context.cli = new CommandLine();
  for (const [name, text] of Object.entries(MODELS))
    writeFileSync(context.cli.path(name), encodeExactly(ModelProto, parseModel(text).proto));
});

test.after(({ cli }) => cli.remove());

/** What a command writes, as text, after it has passed the checker. */
async function written(cli: CommandLine, ...args: string[]): Promise<string> {
  await cli.succeed(...args, '-o', 'out.onnx');
  await cli.succeed('check', 'out.onnx', '--full');
  return await cli.succeed('print', 'out.onnx');
}

test('extract writes a part', async ({ cli }) => {
  const text = await written(cli, 'extract', 'chain.onnx', '--inputs', 't', '--outputs', 'u');
  assert.match(text, /\(float\[1,3\] t\) => \(float\[1,3\] u\)/);
  assert.not.match(text, /Add|Neg/);
  assert.match(
    await written(cli, 'extract', 'chain.onnx', '--outputs', 'u'),
    /\(float\[1,3\] x\) => \(float\[1,3\] u\)/,
  );
});

test('extract says which inputs are missing, and writes nothing', async ({ cli }) => {
  const { status, stderr } = await cli.run('extract', 'chain.onnx', '--inputs', 'w', '--outputs', 'u', '-o', 'no.onnx');
  assert.is(status, 1);
  assert.match(stderr, /^sardonyx: "u" also depend on "x"/);
  assert.not.ok(readdirSync(cli.path('.')).includes('no.onnx'));
});

test('merge connects, names with colons too', async ({ cli }) => {
  const text = await written(cli, 'merge', 'chain.onnx', 'colon.onnx', '--map', 'y:in:0');
  assert.match(text, /\(float\[1,3\] x\) => \(float\[1,3\] z\)/);
  assert.match(text, /z = Abs \(y\)/);
  assert.match(
    (await cli.run('merge', 'chain.onnx', 'colon.onnx', '--map', 'y', '-o', 'no.onnx')).stderr,
    /--map y: expected OUTPUT:INPUT/,
  );
});

test('inline puts functions in place, or some', async ({ cli }) => {
  assert.match(await written(cli, 'inline', 'calls.onnx'), /t = Abs \(x\)\s+y = Neg \(t\)/);
  assert.match(
    await written(cli, 'inline', 'calls.onnx', '--only', 'my.fns.f'),
    /t = Abs \(x\)\s+y = my\.fns\.h \(t\)/,
  );
  assert.match(
    await written(cli, 'inline', 'calls.onnx', '--except', 'my.fns.f'),
    /t = my\.fns\.f \(x\)\s+y = Neg \(t\)/,
  );
});

test('edit renames, resizes, adds and removes', async ({ cli }) => {
  const text = await written(
    cli,
    ...['edit', 'chain.onnx', '--rename', 'x=pixels', 'y=logits', '--dim', 'x.0=batch', '--add-output', 't'],
    ...['--remove', 'mul', '--deduplicate', '--clean-up'],
  );
  assert.match(text, /\(float\[batch,3\] pixels\) => \(float\[batch,3\] logits, float\[batch,3\] t\)/);
  assert.match(text, /t = Add \(pixels, w\)\s+logits = Neg \(t\)\s+}/);
  assert.match(await written(cli, 'edit', 'out.onnx', '--dim', 'batch=4'), /float\[4,3\] pixels/);
  const { status, stderr } = await cli.run('edit', 'chain.onnx', '-o', 'no.onnx');
  assert.equal([status, /nothing to edit/.test(stderr)], [2, true]);
  assert.ok(readFileSync(cli.path('chain.onnx')).length > 0);
});

test.run();
