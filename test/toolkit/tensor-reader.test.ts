import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto, SparseTensorProto, TensorProto } from '../../build/onnx.js';
import { loadModel, openTensor, parseModel, saveModel, toExternalData } from '../../src/tools/index.js';
import { expectRejection } from '../expect-error.js';

const test = suite('toolkit/tensor-reader');

const values = Float32Array.from({ length: 6000 }, (_, i) => i / 8);
const HEAD = '<ir_version: 10, opset_import: ["": 21]> g (float[1] x) => (float[1] y)';
const weight = { name: 'w', dataType: 1, dims: [60, 100], rawData: new Uint8Array(values.buffer) };

async function saved(): Promise<string> {
  const model = parseModel(`${HEAD} { y = Identity(x) }`);
  const proto = ModelProto.decode(await saveModel(model));
  proto.graph?.initializer.push(new TensorProto(weight));
  const path = join(mkdtempSync(join(tmpdir(), 'reader-')), 'model.onnx');
  writeFileSync(path, ModelProto.encode(proto).finish());
  return path;
}

test('reads parts of what lies in the model, and beside it', async () => {
  const path = await saved();
  const inside = await loadModel(path);
  const beside = join(path, '../beside.onnx');
  await saveModel(await toExternalData(inside, { location: 'weights.bin' }), beside);
  for (const model of [inside, await loadModel(beside)]) {
    const reader = await openTensor(model.proto.graph?.initializer[0] as TensorProto, model);
    assert.equal([reader.type, reader.dims, reader.count], ['float32', [60, 100], 6000]);
    const { data } = await reader.read(4997, 5003);
    assert.equal(data, values.slice(4997, 5003));
    assert.equal((await reader.read(0, 6000)).data, values);
  }
});

test('elements below a byte begin anywhere; sparse ones are dense, strings are strings', async () => {
  const model = parseModel(`${HEAD} { y = Identity(x) }`);
  const nibbles = new TensorProto({ name: 'n', dataType: 22, dims: [5], rawData: Uint8Array.of(0x21, 0x43, 0x0f) });
  const { data } = await (await openTensor(nibbles, model)).read(1, 4);
  assert.equal([...(data as Int8Array)], [0x32, 0x04]);

  const sparse = new SparseTensorProto({
    values: new TensorProto({ name: 's', dataType: 1, dims: [1], floatData: [7] }),
    indices: new TensorProto({ dataType: 7, dims: [1], int64Data: [2] }),
    dims: [2, 2],
  });
  assert.equal((await (await openTensor(sparse, model)).read(1, 4)).data, Float32Array.of(0, 7, 0));

  const words = new TensorProto({
    name: 't',
    dataType: 8,
    dims: [2],
    stringData: [Uint8Array.of(97), Uint8Array.of(98)],
  });
  assert.equal((await (await openTensor(words, model)).read(1, 2)).data, ['b']);
});

test('refuses data that do not go with type and dims', async () => {
  const model = parseModel(`${HEAD} { y = Identity(x) }`);
  const short = new TensorProto({ name: 's', dataType: 1, dims: [4], rawData: new Uint8Array(12) });
  await expectRejection('INVALID_MODEL', /need 16 bytes, but the tensor has 12/, openTensor(short, model));
});

test.run();
