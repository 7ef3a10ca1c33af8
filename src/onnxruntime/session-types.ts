import type { OptimizationLevel } from '../optimize/options.js';
import type { SessionOptions as OwnOptions } from '../session/options.js';
import type { RunOptions as OwnRunOptions } from '../session/run-options.js';
import type { OnnxModelOptions } from './file-types.js';
import type { Global, Tensor } from './tensor.js';

export type OnnxValueMapType = { readonly [name: string]: Tensor };
export type NullableOnnxValueMapType = { readonly [name: string]: Tensor | null };
export type FeedsType = OnnxValueMapType;
export type FetchesType = readonly string[] | NullableOnnxValueMapType;
export type ReturnType = OnnxValueMapType;

export interface ExecutionProviderOption {
  readonly name: string;
}
export interface Provider<Name extends string> extends ExecutionProviderOption {
  readonly name: Name;
}
export interface CpuExecutionProviderOption extends Provider<'cpu'> {
  useArena?: boolean;
}
export type WebAssemblyExecutionProviderOption = Provider<'wasm'>;
export interface CudaExecutionProviderOption extends Provider<'cuda'> {
  deviceId?: number;
}
export interface DmlExecutionProviderOption extends Provider<'dml'> {
  deviceId?: number;
}
export interface TensorRtExecutionProviderOption extends Provider<'tensorrt'> {
  deviceId?: number;
}
export type WebGLExecutionProviderOption = Provider<'webgl'>;
export type XnnpackExecutionProviderOption = Provider<'xnnpack'>;
export type BufferCacheMode = 'disabled' | 'lazyRelease' | 'simple' | 'bucket';
export interface WebGpuExecutionProviderOption extends Provider<'webgpu'> {
  preferredLayout?: 'NCHW' | 'NHWC';
  forceCpuNodeNames?: readonly string[];
  validationMode?: 'disabled' | 'wgpuOnly' | 'basic' | 'full';
  enableRobustness?: boolean;
  storageBufferCacheMode?: BufferCacheMode;
  uniformBufferCacheMode?: BufferCacheMode;
  queryResolveBufferCacheMode?: BufferCacheMode;
  defaultBufferCacheMode?: BufferCacheMode;
  device?: Global<'GPUDevice'>;
}
export type WebNNExecutionProviderName = Provider<'webnn'>;
export interface WebNNContextOptions {
  deviceType?: 'cpu' | 'gpu' | 'npu';
  numThreads?: number;
  powerPreference?: 'default' | 'low-power' | 'high-performance';
}
export interface WebNNOptionsWithoutMLContext extends WebNNExecutionProviderName, WebNNContextOptions {
  context?: never;
}
export interface WebNNOptionsWithMLContext extends WebNNExecutionProviderName, WebNNContextOptions {
  deviceType: 'cpu' | 'gpu' | 'npu';
  context: Global<'MLContext'>;
}
export interface WebNNOptionsWebGpu extends WebNNExecutionProviderName {
  context: Global<'MLContext'>;
  gpuDevice: Global<'GPUDevice'>;
}
export type WebNNExecutionProviderOption =
  | WebNNOptionsWithoutMLContext
  | WebNNOptionsWithMLContext
  | WebNNOptionsWebGpu;
export interface QnnExecutionProviderOption extends Provider<'qnn'> {
  backendType?: string;
  backendPath?: string;
  enableFp16Precision?: boolean;
}
export interface CoreMLExecutionProviderOption extends Provider<'coreml'> {
  coreMlFlags?: number;
  useCPUOnly?: boolean;
  useCPUAndGPU?: boolean;
  enableOnSubgraph?: boolean;
  onlyEnableDeviceWithANE?: boolean;
}
export interface NnapiExecutionProviderOption extends Provider<'nnapi'> {
  useFP16?: boolean;
  useNCHW?: boolean;
  cpuDisabled?: boolean;
  cpuOnly?: boolean;
}
export interface ExecutionProviderOptionMap {
  coreml: CoreMLExecutionProviderOption;
  cpu: CpuExecutionProviderOption;
  cuda: CudaExecutionProviderOption;
  dml: DmlExecutionProviderOption;
  nnapi: NnapiExecutionProviderOption;
  tensorrt: TensorRtExecutionProviderOption;
  wasm: WebAssemblyExecutionProviderOption;
  webgl: WebGLExecutionProviderOption;
  webgpu: WebGpuExecutionProviderOption;
  webnn: WebNNExecutionProviderOption;
  qnn: QnnExecutionProviderOption;
  xnnpack: XnnpackExecutionProviderOption;
}
export type ExecutionProviderName = keyof ExecutionProviderOptionMap;
export type ExecutionProviderConfig =
  | ExecutionProviderOptionMap[ExecutionProviderName]
  | ExecutionProviderOption
  | string;

export interface SessionOptions extends Omit<OwnOptions, 'externalData'>, OnnxModelOptions {
  /** In the order of preference: `wasm` and `cpu` are Sardonyx, which also stands in for those of a GPU; what is not there is passed over. */
  executionProviders?: readonly ExecutionProviderConfig[];
  /** Outputs can only be in the CPU's memory. */
  preferredOutputLocation?: Tensor.DataLocation | { readonly [outputName: string]: Tensor.DataLocation };
  graphOptimizationLevel?: OptimizationLevel;
  intraOpNumThreads?: number;
  freeDimensionOverrides?: { readonly [dimensionName: string]: number };
  enableProfiling?: boolean;
  /** This and what follows is accepted and has no effect. */
  interOpNumThreads?: number;
  enableCpuMemArena?: boolean;
  enableMemPattern?: boolean;
  executionMode?: 'sequential' | 'parallel';
  optimizedModelFilePath?: string;
  profileFilePrefix?: string;
  logId?: string;
  logSeverityLevel?: 0 | 1 | 2 | 3 | 4;
  logVerbosityLevel?: number;
  enableGraphCapture?: boolean;
  extra?: Record<string, unknown>;
}

export interface RunOptions extends Omit<OwnRunOptions, 'extra'> {
  /** Refuses the run. */
  terminate?: boolean;
  extra?: Record<string, unknown>;
}

export interface TensorValueMetadata {
  readonly name: string;
  readonly isTensor: true;
  readonly type: Tensor.Type;
  readonly shape: readonly (number | string)[];
}
export interface NonTensorValueMetadata {
  readonly name: string;
  readonly isTensor: false;
}
export type ValueMetadata = TensorValueMetadata | NonTensorValueMetadata;
