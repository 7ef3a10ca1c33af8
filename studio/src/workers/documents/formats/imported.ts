import {
  fromCatBoost,
  fromLightGBM,
  fromTensorFlowJS,
  fromXGBoost,
  type ImportFormat,
  importFormatOf,
  type Model,
  openWeights,
} from 'sardonyx/model';
import { GraphProto, ModelProto, StringStringEntryProto, TensorProto } from '../../../../../build/onnx.js';
import { modelFrom } from '../../../../../src/tools/model-of.js';
import type { ModelFiles } from '../../contracts/documents.js';
import { ELEMENT_NAMES } from '../type-text.js';
import type { Loaded } from './loaded.js';

type Read = (files: ModelFiles) => Promise<Model>;

const FORMATS: Readonly<Record<ImportFormat, readonly [title: string, read: Read, isViewOnly: boolean]>> = {
  safetensors: ['safetensors', weightsOf, true],
  gguf: ['GGUF', weightsOf, true],
  xgboost: ['XGBoost', ({ model }) => fromXGBoost(model), false],
  lightgbm: ['LightGBM', ({ model }) => fromLightGBM(model), false],
  catboost: ['CatBoost', ({ model }) => fromCatBoost(model), false],
  tensorflowjs: ['TensorFlow.js', ({ model, beside }) => fromTensorFlowJS(model, { weights: beside }), false],
};

/** Reads a format that the toolkit imports. */
export async function readImported(files: ModelFiles): Promise<Loaded> {
  const [format, read, isViewOnly] = FORMATS[await importFormatOf(files.model)];
  return { model: await read(files), format, isViewOnly };
}

/** Weights as initializers of a graph without nodes; the data stays in its files. */
async function weightsOf({ name, model, beside }: ModelFiles): Promise<Model> {
  const { tensors, metadata } = await openWeights(model, { externalData: beside });
  const initializer = Array.from(
    tensors,
    ([name, { type, dims, data }]) =>
      new TensorProto({ name, dims: [...dims], dataType: ELEMENT_NAMES.indexOf(type), rawData: data }),
  );
  const metadataProps = Object.entries(metadata)
    .filter(([, value]) => !Array.isArray(value))
    .map(([key, value]) => new StringStringEntryProto({ key, value: `${value}` }));
  const graph = new GraphProto({ name, initializer });
  return modelFrom(new ModelProto({ graph, metadataProps }) as never);
}
