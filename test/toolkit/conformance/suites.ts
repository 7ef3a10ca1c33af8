import { modelBuilder, tensor } from '../../../src/builder/index.js';
import { writeValue } from '../../../src/model/write-values.js';
import type { HostValue } from '../../../src/tensor/tensor-value.js';
import { f32 } from '../../values.js';

/** Files by their paths, as a suite has them. */
export type Files = Readonly<Record<string, Uint8Array>>;

/** y = relu(x), a list of numbers. */
export function relu(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Relu', [b.input('x', 'float32', ['n'])]), 'float32', ['n']);
  return b.toBytes();
}

/** A case's files: values by the position that they have. */
export function caseFiles(
  folder: string,
  model: Uint8Array,
  inputs: readonly (HostValue | undefined)[],
  outputs: readonly HostValue[],
  set = 0,
): Files {
  const files = (kind: string, values: readonly (HostValue | undefined)[]) =>
    values.flatMap((value, i) =>
      value === undefined ? [] : [[`${folder}/test_data_set_${set}/${kind}_${i}.pb`, writeValue(value)] as const],
    );
  return Object.fromEntries([[`${folder}/model.onnx`, model], ...files('input', inputs), ...files('output', outputs)]);
}

const X = f32([3], [-1, 0, 2]);

/** Two cases that pass, the first with two data sets, and one whose expected output is off at one place. */
export const THREE: Files = {
  ...caseFiles('data/node/test_relu', relu(), [X], [f32([3], [0, 0, 2])]),
  ...caseFiles('data/node/test_relu', relu(), [f32([0], [])], [f32([0], [])], 1),
  ...caseFiles('data/node/test_relu_off', relu(), [X], [f32([3], [0, 0.25, 2])]),
  ...caseFiles('data/simple/test_other', relu(), [X], [f32([3], [0, 0, 2])]),
  'data/README.md': new TextEncoder().encode('no case'),
};

export const STRINGS = tensor('string', [2], ['a', 'ü']);
