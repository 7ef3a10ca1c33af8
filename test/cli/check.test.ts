import { readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { int, modelBuilder } from '../../src/builder/index.js';
import { decode } from '../../src/model/read-protobuf.js';
import { encode } from '../../src/model/write-protobuf.js';
import { CommandLine } from './command-line.js';
import { chainModel } from './models.js';

const test = suite<{ cli: CommandLine }>('sardonyx check');

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  writeFileSync(cli.path('good.onnx'), chainModel());
  writeFileSync(cli.path('bad.onnx'), badModel());
  writeFileSync(cli.path('shapes.onnx'), shapesModel());
  writeFileSync(cli.path('external.onnx'), externalModel());
});

test.after(({ cli }) => cli.remove());

/** A misspelt operator, an attribute that is none, and an output that nobody makes. */
function badModel(): Uint8Array {
  const model = decode(ModelProto, chainModel(), 'ONNX model');
  const [relu, mul] = model.graph?.node ?? [];
  const [output] = model.graph?.output ?? [];
  if (!relu || !mul || !output) throw new Error('the model has other nodes now');
  Object.assign(relu, { opType: 'Relo', name: 'first' });
  Object.assign(mul, { attribute: [{ name: 'scale', type: 2, i: 1 }], name: 'second' });
  output.name = 'z';
  return encode(ModelProto, model);
}

/** Matrices that do not go together. */
function shapesModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const product = b.op('MatMul', [b.input('a', 'float32', [2, 3]), b.input('b', 'float32', [4, 5])]);
  b.output('y', b.op('Softmax', [product], { axis: int(1) }), 'float32', [2, 5]);
  return b.toBytes();
}

/** Weights in a file that is not there. */
function externalModel(): Uint8Array {
  const model = decode(ModelProto, chainModel(), 'ONNX model');
  const tensor = model.graph?.initializer[0];
  if (!tensor) throw new Error('the model has no weights now');
  Object.assign(tensor, { rawData: new Uint8Array(), floatData: [], dataLocation: 1 });
  Object.assign(tensor, { externalData: [{ key: 'location', value: 'weights.bin' }] });
  return encode(ModelProto, model);
}

test('a good model has no errors', async ({ cli }) => {
  assert.is(await cli.succeed('check', 'good.onnx', '--full'), '0 errors, 0 warnings\n');
  assert.equal(await cli.json('check', 'good.onnx'), { errors: 0, warnings: 0, issues: [] });
  const { status, stdout } = await cli.runOn(readFileSync(cli.path('good.onnx')), 'check', '-');
  assert.equal([status, stdout], [0, '0 errors, 0 warnings\n']);
});

test('a bad one has all of them on a line each, and exit status 1', async ({ cli }) => {
  const { status, stdout, stderr } = await cli.run('check', 'bad.onnx');
  assert.equal([status, stderr], [1, '']);
  assert.is(
    stdout,
    `       location                       node          problem
error  graph.node[0].op_type          Relo "first"  ai.onnx 21 has no operator Relo (did you mean "Relu"?)
error  graph.node[1].attribute.scale  Mul "second"  Mul has no attribute "scale" (attributes since opset 14: none)
error  graph.output[0]                              no node produces the output "z"

3 errors, 0 warnings
`,
  );
});

test('as JSON, with a limit', async ({ cli }) => {
  const { status, stdout } = await cli.run('check', 'bad.onnx', '--json', '--limit', '1');
  assert.is(status, 1);
  assert.equal(JSON.parse(stdout), {
    errors: 1,
    warnings: 0,
    issues: [
      {
        severity: 'error',
        code: 'UNKNOWN_OPERATOR',
        message: 'ai.onnx 21 has no operator Relo',
        path: 'graph.node[0].op_type',
        node: 'first',
        operator: 'Relo',
        hint: 'did you mean "Relu"?',
      },
    ],
  });
});

test('shapes are looked at by --full alone', async ({ cli }) => {
  assert.is((await cli.run('check', 'shapes.onnx')).status, 0);
  const { status, stdout } = await cli.run('check', 'shapes.onnx', '--full', '--json');
  assert.is(status, 1);
  const { issues } = JSON.parse(stdout);
  assert.equal([issues.length, issues[0].code, issues[0].path], [1, 'INFERENCE', 'graph.node[0]']);
});

test('external data must be beside the model', async ({ cli }) => {
  const [issue] = JSON.parse((await cli.run('check', 'external.onnx', '--json')).stdout).issues;
  assert.equal([issue.code, issue.path], ['EXTERNAL_DATA', 'graph.initializer[0].external_data']);
  writeFileSync(cli.path('weights.bin'), new Uint8Array(4));
  assert.is((await cli.run('check', 'external.onnx')).status, 0);
});

test('what is no model, and no file, is said in one line', async ({ cli }) => {
  writeFileSync(cli.path('text.onnx'), '\xff\xff\xff no protobuf');
  for (const file of ['text.onnx', 'nowhere.onnx', 'http://127.0.0.1:1/model.onnx']) {
    const { status, stderr } = await cli.run('check', file);
    assert.is(status, 1);
    assert.match(stderr, /^sardonyx: .*\n$/);
  }
});

test.run();
