import { readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { loadModel } from '../../src/tools/index.js';
import { floatsIn, safetensorsOf } from '../toolkit/import/weights/files.js';
import { CommandLine } from './command-line.js';

const test = suite<{ cli: CommandLine }>('sardonyx import');

const trained = JSON.parse(readFileSync(new URL('../toolkit/import/trees/trained.json', import.meta.url), 'utf8'))
  .cases as { readonly library: string; readonly name: string; readonly model: string; readonly ubj?: string }[];

const f32 = (shape: readonly number[], ...data: number[]) => ({ dtype: 'F32', shape, data: Float32Array.from(data) });

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  for (const { library, name, model, ubj } of trained) {
    writeFileSync(cli.path(`${library} ${name}`), model);
    if (ubj) writeFileSync(cli.path('trees.ubj'), Buffer.from(ubj, 'base64'));
  }
  const b = modelBuilder({ opset: 21 });
  const w = b.constant('head', tensor('float32', [2, 3], [0, 0, 0, 0, 0, 0]));
  b.output('y', b.op('MatMul', [b.input('x', 'float32', [1, 2]), w]), 'float32', [1, 3]);
  writeFileSync(cli.path('model.onnx'), b.toBytes());
  writeFileSync(
    cli.path('w.safetensors'),
    safetensorsOf({ 'lm.weight': f32([3, 2], 1, 2, 3, 4, 5, 6), other: f32([], 7) }),
  );
  const parts = { 'head.lora_A.weight': f32([1, 2], 1, 10), 'head.lora_B.weight': f32([3, 1], 1, 2, 3) };
  writeFileSync(cli.path('lora.safetensors'), safetensorsOf(parts));
});

test.after(({ cli }) => cli.remove());

const headIn = async (path: string) => [...(await floatsIn(await loadModel(path), 'head'))];

test('trees, told apart by what is in them', async ({ cli }) => {
  for (const file of ['xgboost squared error', 'trees.ubj', 'lightgbm regression', 'lightgbm categories']) {
    assert.is(await cli.succeed('import', file, '-o', 'trees.onnx'), '');
    await cli.succeed('check', 'trees.onnx', '--full');
    assert.match(await cli.succeed('run', 'trees.onnx'), /variable +float32 1×1/);
  }
  const names = ['--label', 'low', '--label', 'middle', '--label', 'high'];
  await cli.succeed('import', 'lightgbm multiclass', '-o', 'classes.onnx', '--opset', '5', '--rounds', '1', ...names);
  assert.match(await cli.succeed('run', 'classes.onnx'), /low|middle|high/);
  await cli.succeed(
    'import',
    'xgboost logistic',
    '--from',
    'xgboost',
    '-o',
    'binary.onnx',
    '--label',
    '5',
    '--label',
    '-7',
  );
  assert.match(await cli.succeed('run', 'binary.onnx'), /label +int64/);
});

test('weights are listed, as text and as JSON', async ({ cli }) => {
  assert.match(
    await cli.succeed('import', 'w.safetensors'),
    /^safetensors\n\nweight +type +shape\nlm\.weight +F32 +3×2\nother +F32\n$/,
  );
  const { format, tensors } = JSON.parse(await cli.succeed('import', 'w.safetensors', '--json'));
  assert.is(format, 'safetensors');
  assert.equal(tensors[0], { name: 'lm.weight', form: 'F32', type: 'float32', dims: [3, 2] });
});

test('weights into a model; the same from the file itself, and an adapter', async ({ cli }) => {
  const options = ['--name', 'lm.weight=head', '--transpose', 'he*', '--partial'];
  await cli.succeed('import', 'w.safetensors', 'model.onnx', '-o', 'tuned.onnx', ...options);
  assert.equal(await headIn(cli.path('tuned.onnx')), [1, 3, 5, 2, 4, 6]);
  writeFileSync(cli.path('same.safetensors'), safetensorsOf({ head: f32([2, 3], 6, 5, 4, 3, 2, 1) }));
  await cli.succeed('import', 'same.safetensors', 'model.onnx', '-o', 'linked.onnx', '--external');
  assert.equal(await headIn(cli.path('linked.onnx')), [6, 5, 4, 3, 2, 1]);
  await cli.succeed('import', 'lora.safetensors', 'tuned.onnx', '--lora', '--scale', '-2', '-o', 'merged.onnx');
  assert.equal(await headIn(cli.path('merged.onnx')), [-1, -1, -1, -18, -36, -54]);
});

const REFUSED: readonly (readonly [number, RegExp, ...string[]])[] = [
  [
    1,
    /cannot import 2 weights: "lm\.weight": not found in the model; "other"/,
    'w.safetensors',
    'model.onnx',
    '-o',
    'y.onnx',
  ],
  [1, /unknown file format/, 'model.onnx', '-o', 'y.onnx'],
  [1, /mistake\.json/, 'mistake.json', '-o', 'y.onnx'],
  [2, /missing model: pass the ONNX file/, 'w.safetensors', '-o', 'y.onnx'],
  [2, /missing required option --output/, 'w.safetensors', 'model.onnx'],
  [2, /missing required option --output/, 'trees.ubj'],
  [2, /omit model\.onnx/, 'trees.ubj', 'model.onnx', '-o', 'y.onnx'],
  [2, /--lora does not apply to tree models/, 'trees.ubj', '-o', 'y.onnx', '--lora'],
  [2, /--rounds does not apply to weights/, 'w.safetensors', 'model.onnx', '-o', 'y.onnx', '--rounds', '1'],
  [
    2,
    /--convert does not apply to a LoRA adapter/,
    'lora.safetensors',
    'model.onnx',
    '-o',
    'y.onnx',
    '--lora',
    '--convert',
  ],
  [2, /--scale needs --lora/, 'w.safetensors', 'model.onnx', '-o', 'y.onnx', '--scale', '1'],
  [2, /--name head: expected FILE=MODEL/, 'w.safetensors', 'model.onnx', '-o', 'y.onnx', '--name', 'head'],
  [2, /--scale x: "x" is not a number/, 'w.safetensors', 'model.onnx', '-o', 'y.onnx', '--scale', 'x'],
];

for (const [status, message, ...words] of REFUSED)
  test(`${words.join(' ')}: ${message.source}`, async ({ cli }) => {
    const result = await cli.run('import', ...words);
    assert.is(result.status, status, result.stderr);
    assert.match(result.stderr, message);
  });

test.run();
