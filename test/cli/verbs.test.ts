import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadModel, parseModel, saveModel } from '../../src/tools/index.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('what every command that writes a model has in common');

/** A function, a branch, weights, an empty tensor, a 0-d one, a size of a name: nothing that a command is made for. */
const TEXT = `<ir_version: 10, opset_import: ["": 21, "own": 1]>
  g (float[N, 4] x, bool flag) => (float[N, 4] y) <float[4, 4] w, float[0] none, float one = {1}> {
    m = MatMul (x, w)
    d = own.twice (m)
    z = Concat <axis: int = 0> (none, none)
    s = Add (d, one)
    y = If (flag) <
      then_branch: graph = then () => (float[N, 4] t) { t = Relu (s) },
      else_branch: graph = otherwise () => (float[N, 4] e) { e = Neg (s) }
    >
  }
  <domain: "own", opset_import: ["": 21]> twice (a) => (b) { b = Add (a, a) }`;

/** By command: what it takes besides the model and where it writes. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  infer: ['--dim', 'N=2'],
  convert: ['--opset', '18'],
  simplify: [],
  extract: ['--outputs', 's'],
  inline: [],
  edit: ['--rename', 'y=result', '--clean-up'],
  pack: [],
  unpack: ['--threshold', '0'],
  float16: [],
  'quantize weights': ['--bits', '8', '--block', '16'],
  'quantize dynamic': [],
};

const argumentsOf = (verb: string, model: string, output: string) => [
  ...verb.split(' '),
  model,
  ...(VERBS[verb] ?? []),
  '-o',
  output,
];

test.before(async (context) => {
  context.cli = new CommandLine();
  const weights = Array.from({ length: 16 }, (_, i) => (i - 8) / 4).join(', ');
  const text = TEXT.replace('float[4, 4] w', `float[4, 4] w = {${weights}}`).replace('none,', 'none = {},');
  const bytes = await saveModel(parseModel(text));
  writeFileSync(context.cli.path('m.onnx'), bytes);
  writeFileSync(context.cli.path('damaged.onnx'), bytes.subarray(0, bytes.length / 2));
});

test.after(({ cli }) => cli.remove());

for (const verb of Object.keys(VERBS)) {
  test(`${verb} writes a model that is right, and --json says which`, async ({ cli }) => {
    const output = `${verb.replace(' ', '-')}.onnx`;
    const said = JSON.parse(await cli.succeed(...argumentsOf(verb, 'm.onnx', output), '--json'));
    const { proto } = await loadModel(cli.path(output));
    if (verb !== 'float16' && verb !== 'simplify') {
      assert.is(said.output, output);
      assert.is(said.nodes, proto.graph?.node.length);
      assert.equal(
        said.outputs,
        proto.graph?.output.map(({ name }) => name),
      );
      assert.is(said.opsets['ai.onnx'], verb === 'convert' ? 18 : 21);
    }
    assert.is((await cli.run('check', output)).status, 0);
    const both = await cli.run(...argumentsOf(verb, 'm.onnx', '-'), '--json');
    assert.is(both.status, 2, both.stderr);
    assert.is(both.stdout, '');
  });

  test(`${verb} refuses half of a model and none, in one line, and writes nothing`, async ({ cli }) => {
    for (const model of ['damaged.onnx', 'absent.onnx']) {
      const { status, stdout, stderr } = await cli.run(...argumentsOf(verb, model, 'refused.onnx'));
      assert.is(status, 1, stderr);
      assert.is(stdout, '');
      assert.match(stderr, /^sardonyx: [^\n]+\n$/);
    }
    assert.equal(
      readdirSync(cli.path('.')).filter((name) => /refused|partial|tmp/.test(name)),
      [],
    );
  });
}

test('merge and parse say what they wrote, too', async ({ cli }) => {
  const merged = await cli.json(
    'merge',
    'm.onnx',
    'm.onnx',
    '--map',
    'y:x',
    '--prefix1',
    'a/',
    '--prefix2',
    'b/',
    '-o',
    'two.onnx',
  );
  assert.is(merged.nodes, 10);
  writeFileSync(cli.path('m.txt'), await cli.succeed('print', 'm.onnx'));
  const parsed = await cli.json('parse', 'm.txt', '-o', 'parsed.onnx');
  assert.equal([parsed.nodes, parsed.functions], [5, ['own.twice']]);
});

test('print says its text as JSON, and what it wrote', async ({ cli }) => {
  const text = await cli.succeed('print', 'm.onnx');
  assert.is((await cli.json('print', 'm.onnx')).text, text.trimEnd());
  assert.equal(await cli.json('print', 'm.onnx', '-o', 'said.txt'), {
    output: 'said.txt',
    characters: text.trimEnd().length,
  });
  assert.is(readFileSync(cli.path('said.txt'), 'utf8').trimEnd(), text.trimEnd());
});

test('text that cannot be put in its place leaves nothing behind', async ({ cli }) => {
  mkdirSync(cli.path('taken'));
  assert.is((await cli.run('print', 'm.onnx', '-o', 'taken')).status, 1);
  assert.equal(readdirSync(cli.path('taken')), []);
  writeFileSync(cli.path('old.txt'), 'before');
  symlinkSync('old.txt', cli.path('link.txt'));
  await cli.succeed('print', 'm.onnx', '-o', 'link.txt');
  assert.match(readFileSync(cli.path('old.txt'), 'utf8'), /ir_version/);
  assert.ok(lstatSync(cli.path('link.txt')).isSymbolicLink());
  assert.not.ok(readdirSync(cli.path('.')).some((name) => /partial/.test(name)));
});

test('inspect --nodes counts each node, and those of branches', async ({ cli }) => {
  const { byNode } = await cli.json('inspect', 'm.onnx', '--nodes', '--dim', 'N=3');
  const product = byNode.find(({ operator }: { operator: string }) => operator === 'MatMul');
  assert.equal([product.id, product.multiplyAdds, product.parameters], ['0', 48, 16]);
  assert.equal([product.readBytes, product.writtenBytes], [4 * (12 + 16), 48]);
  assert.ok(byNode.some(({ id }: { id: string }) => id === '4/then_branch/0'));
  assert.match(
    await cli.succeed('inspect', 'm.onnx', '--nodes', '--dim', 'N=3'),
    /^ +0 {2}MatMul +48 +16 +112 B +48 B$/m,
  );
  assert.ok(readFileSync(cli.path('m.onnx')).length > 0);
});

test.run();
