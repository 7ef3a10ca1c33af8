export type {
  AttributeProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  TensorProto,
  TypeProto,
  ValueInfoProto,
} from '../../build/onnx.js';
export { type ErrorCode, type ErrorPlace, SardonyxError } from '../base/errors.js';
export type { DataSource, ExternalFile } from '../loading/source.js';
export type { Model } from '../model/document/model.js';
export { InvalidModelError, type Issue, type IssueCode } from './check/index.js';
export { assertModel, type CheckOptions, checkModel } from './check-document.js';
export { ConversionError, type ConvertOptions, convertVersion, type Obstacle } from './convert/index.js';
export { type CoreMLOptions, type CoreMLPackage, toCoreML } from './export/coreml/index.js';
export { type ExternalDataOptions, fromExternalData, toExternalData } from './external-data.js';
export * from './import/index.js';
export { type InferOptions, inferFunctionOutputTypes, inferShapes } from './infer/index.js';
export { type LoadModelOptions, loadModel } from './load-model.js';
export {
  type Bits,
  type ByteType,
  type DynamicType,
  type NamePattern,
  type QuantizeDynamicOptions,
  type QuantizeProgress,
  type QuantizeWeightsOptions,
  quantizeDynamic,
  quantizeWeights,
  type Samples,
  type WeightFormat,
  type WeightMethod,
} from './quantize/index.js';
export { type SaveModelOptions, saveModel } from './save-model.js';
export type { SaveTarget } from './save-target.js';
export { type Simplified, type SimplifyOptions, simplify, simplifyPasses } from './simplify/index.js';
export * from './surgery/index.js';
export { type Printable, parseFunction, parseGraph, parseModel, parseNode, type TextOptions, toText } from './text.js';
export { TranslationError, type Untranslated } from './translation-error.js';
