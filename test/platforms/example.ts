import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TensorProto } from '../../build/onnx.js';
import { floats, modelBuilder, tensor } from '../../src/builder/index.js';
import { toNumber } from '../../src/model/int64.js';
import { expected, feeds, withExternalWeights } from '../loading/models.js';
import { sharedFolder } from '../shared-data.js';

export interface Example {
  readonly model: Uint8Array;
  readonly input: NamedNumbers;
  readonly output: NamedNumbers;
}

interface NamedNumbers {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: readonly number[];
}

/** A trained network with a stored output; where it is absent, a layer that is easily computed by hand. */
export function example(): Example {
  const folder = sharedFolder('models/digits_cnn_trained');
  return folder ? digits(folder) : layer();
}

/** One tree, of an operator that is loaded when a model has it: 10 up to 0.5, else 20. */
export function rare(): Example {
  const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.ml': 3 } });
  const x = b.input('x', 'float32', ['batch', 1]);
  const nodes = {
    nodes_treeids: [0, 0, 0],
    nodes_nodeids: [0, 1, 2],
    nodes_featureids: [0, 0, 0],
    nodes_modes: ['BRANCH_LEQ', 'LEAF', 'LEAF'],
    nodes_values: floats([0.5, 0, 0]),
    nodes_truenodeids: [1, 0, 0],
    nodes_falsenodeids: [2, 0, 0],
  };
  const targets = {
    n_targets: 1,
    target_treeids: [0, 0],
    target_nodeids: [1, 2],
    target_ids: [0, 0],
    target_weights: floats([10, 20]),
  };
  b.output('y', b.op('TreeEnsembleRegressor', [x], { ...nodes, ...targets }, { domain: 'ai.onnx.ml' }));
  return {
    model: b.toBytes(),
    input: { name: 'x', dims: [2, 1], data: [0, 1] },
    output: { name: 'y', dims: [2, 1], data: [10, 20] },
  };
}

/** A matrix product whose weights are in a file beside the model. */
export function external(): Example & { readonly weights: Uint8Array } {
  const { dims, data } = feeds.x;
  return {
    ...withExternalWeights('weights.bin'),
    input: { name: 'x', dims, data: [...data] },
    output: { name: 'y', dims: [1, expected.length], data: [...expected] },
  };
}

function digits(folder: string): Example {
  const read = (file: string) => readFileSync(join(folder, file));
  return {
    model: read('model.onnx'),
    input: numbersOf(read('test_data_set_0/input_0.pb')),
    output: numbersOf(read('test_data_set_0/output_0.pb')),
  };
}

function numbersOf(file: Uint8Array): NamedNumbers {
  const { name, dims, rawData, floatData } = TensorProto.decode(file);
  const data = rawData?.length ? Array.from(new Float32Array(Uint8Array.from(rawData).buffer)) : floatData;
  return { name: name as string, dims: dims.map(toNumber), data };
}

function layer(): Example {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['batch', 2]);
  const w = b.constant('w', tensor('float32', [2, 3], [1, 2, 3, -4, -5, -6]));
  b.output('y', b.op('Relu', [b.op('MatMul', [x, w])]));
  return {
    model: b.toBytes(),
    input: { name: 'x', dims: [2, 2], data: [3, 0.5, 1, 1] },
    output: { name: 'y', dims: [2, 3], data: [1, 3.5, 6, 0, 0, 0] },
  };
}
