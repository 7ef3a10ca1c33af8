import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allOf } from '../../../../src/model/document/left-bytes.js';
import { toNumber } from '../../../../src/model/int64.js';
import { elementTypeOf } from '../../../../src/tensor/element-types.js';
import { importWeights, loadModel, type Model, saveModel } from '../../../../src/tools/index.js';
import { rawDataOf } from '../../../../src/tools/tensor-data.js';
import { shared } from '../../../shared-data.js';
import { safetensorsOf } from './files.js';

/** Weights of whole models, which go out into a file and come back. */
const test = suite('weights of networks');

const DTYPES: Readonly<Record<string, string>> = { float32: 'F32', int64: 'I64', bool: 'BOOL', int32: 'I32' };

const weightsOf = async (model: Model): Promise<Buffer[]> =>
  Promise.all(
    (model.proto.graph?.initializer ?? []).map(async (t) => Buffer.from(await allOf(await rawDataOf(t, model)))),
  );

const folder = shared('models');

/** Those that a test has time for. */
const SMALL = [
  'digits_cnn_trained',
  'gru',
  'lstm',
  'bert_mini',
  'gpt_mini',
  'mobilenet_v3_small',
  'unet_small',
  'ssdlite320',
];

for (const name of readdirSync(folder).filter((entry) => SMALL.includes(entry)))
  test(name, async () => {
    const model = await loadModel(join(folder, name, 'model.onnx'));
    const tensors: Record<string, { dtype: string; shape: readonly number[]; data: Uint8Array }> = {};
    for (const tensor of model.proto.graph?.initializer ?? []) {
      const data = await allOf(await rawDataOf(tensor, model));
      const dtype = DTYPES[elementTypeOf(tensor.dataType) ?? ''];
      if (!dtype) throw new Error(`${tensor.name}: type ${tensor.dataType}`);
      tensors[tensor.name] = { dtype, shape: tensor.dims.map(toNumber), data };
    }
    assert.ok(Object.keys(tensors).length > 5);
    const ones = Object.entries(tensors).map(([key, one]) => [key, { ...one, data: one.data.slice().fill(1) }]);
    const changed = await importWeights(model, safetensorsOf(Object.fromEntries(ones)));
    assert.equal(
      await weightsOf(changed),
      (await weightsOf(model)).map(({ length }) => Buffer.alloc(length, 1)),
    );
    const back = await saveModel(await importWeights(changed, safetensorsOf(tensors)));
    assert.equal(await weightsOf(await loadModel(back)), await weightsOf(model));
  });

test.run();
