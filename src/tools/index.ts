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
export { readValue } from '../model/read-values.js';
export { type Bisection, type BisectOptions, bisectRewrites, type Cause } from './bisect/index.js';
export { InvalidModelError, type Issue, type IssueCode } from './check/index.js';
export { assertModel, type CheckOptions, checkModel } from './check-document.js';
export { type ChromeTraceOptions, toChromeTrace } from './chrome-trace.js';
export {
  type CompareModelsOptions,
  type Comparison,
  compareModels,
  type Finding,
  type ModelWithOptions,
  type Runner,
  type Side,
} from './compare/index.js';
export * from './conformance/index.js';
export { ConversionError, type ConvertOptions, convertVersion, type Obstacle } from './convert/index.js';
export * from './diff/index.js';
export { type CoreMLOptions, type CoreMLPackage, toCoreML } from './export/coreml/index.js';
export { type TensorFlowJSModel, toTensorFlowJS } from './export/tfjs/index.js';
export { type ExternalDataOptions, fromExternalData, toExternalData } from './external-data.js';
export {
  type ClampedWeight,
  type Float16Model,
  type Float16Options,
  type Float16Report,
  type HalfType,
  type KeptNode,
  type MixedPrecision,
  type MixedPrecisionOptions,
  mixedPrecision,
  type Outputs,
  type Tolerance,
  toFloat16,
} from './float16/index.js';
export * from './folder/index.js';
export { generatedFeeds, type Sizes } from './generated-feeds.js';
export * from './import/index.js';
export {
  type FromTensorFlowJSOptions,
  fromTensorFlowJS,
  type TensorFlowJSArtifacts,
  type TensorFlowJSSource,
  type WeightSpec,
} from './import/tfjs/index.js';
export { type InferOptions, inferFunctionOutputTypes, inferShapes } from './infer/index.js';
export * from './inspect/index.js';
export { type LoadModelOptions, loadModel } from './load-model.js';
export {
  type Bits,
  type ByteType,
  type CalibrateOptions,
  type CalibrationMethod,
  calibrate,
  type DynamicNotice,
  type DynamicType,
  type IntegerType,
  type NamePattern,
  type Override,
  parseRanges,
  type QuantizeDynamicOptions,
  type QuantizeProgress,
  type QuantizeStaticOptions,
  type QuantizeWeightsOptions,
  quantizeDynamic,
  quantizeStatic,
  quantizeWeights,
  type Range,
  type Ranges,
  type Samples,
  type StaticFormat,
  toCalibrationCache,
  type WeightFormat,
  type WeightMethod,
} from './quantize/index.js';
export * from './quantize/repair/index.js';
export {
  type CutValues,
  type Outcomes,
  type Predicate,
  type Reduced,
  type ReduceOptions,
  type ReduceProgress,
  reduceModel,
} from './reduce/index.js';
export { type SaveModelOptions, saveModel } from './save-model.js';
export type { SaveTarget } from './save-target.js';
export { type Simplified, type SimplifyOptions, simplify, simplifyPasses } from './simplify/index.js';
export * from './surgery/index.js';
export { openTensor, type TensorReader } from './tensor-reader.js';
export { type Printable, parseFunction, parseGraph, parseModel, parseNode, type TextOptions, toText } from './text.js';
export { TranslationError, type Untranslated } from './translation-error.js';
export * from './verify/index.js';
