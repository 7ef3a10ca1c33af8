import type { OptimizationLevel } from '../optimize/options.js';
import type { SessionOptions } from '../session/options.js';
import type { RunOptions } from '../session/run-options.js';
import type { OnnxModelOptions } from './file-types.js';
import type { Global, Tensor } from './tensor.js';

type OwnOptions = SessionOptions;
type OwnRunOptions = RunOptions;

/** A namespace instead of a module, because bundlers of declarations would mix its names with theirs; both have `InferenceSession`. */
export declare namespace SessionTypes {
  type OnnxValueMapType = { readonly [name: string]: Tensor };
  type NullableOnnxValueMapType = { readonly [name: string]: Tensor | null };
  type FeedsType = OnnxValueMapType;
  type FetchesType = readonly string[] | NullableOnnxValueMapType;
  type ReturnType = OnnxValueMapType;

  interface ExecutionProviderOption {
    readonly name: string;
  }
  interface Provider<Name extends string> extends ExecutionProviderOption {
    readonly name: Name;
  }
  interface CpuExecutionProviderOption extends Provider<'cpu'> {
    useArena?: boolean;
  }
  type WebAssemblyExecutionProviderOption = Provider<'wasm'>;
  interface CudaExecutionProviderOption extends Provider<'cuda'> {
    deviceId?: number;
  }
  interface DmlExecutionProviderOption extends Provider<'dml'> {
    deviceId?: number;
  }
  interface TensorRtExecutionProviderOption extends Provider<'tensorrt'> {
    deviceId?: number;
  }
  type WebGLExecutionProviderOption = Provider<'webgl'>;
  type XnnpackExecutionProviderOption = Provider<'xnnpack'>;
  type BufferCacheMode = 'disabled' | 'lazyRelease' | 'simple' | 'bucket';
  interface WebGpuExecutionProviderOption extends Provider<'webgpu'> {
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
  type WebNNExecutionProviderName = Provider<'webnn'>;
  interface WebNNContextOptions {
    deviceType?: 'cpu' | 'gpu' | 'npu';
    numThreads?: number;
    powerPreference?: 'default' | 'low-power' | 'high-performance';
  }
  interface WebNNOptionsWithoutMLContext extends WebNNExecutionProviderName, WebNNContextOptions {
    context?: never;
  }
  interface WebNNOptionsWithMLContext extends WebNNExecutionProviderName, WebNNContextOptions {
    deviceType: 'cpu' | 'gpu' | 'npu';
    context: Global<'MLContext'>;
  }
  interface WebNNOptionsWebGpu extends WebNNExecutionProviderName {
    context: Global<'MLContext'>;
    gpuDevice: Global<'GPUDevice'>;
  }
  type WebNNExecutionProviderOption = WebNNOptionsWithoutMLContext | WebNNOptionsWithMLContext | WebNNOptionsWebGpu;
  interface QnnExecutionProviderOption extends Provider<'qnn'> {
    backendType?: string;
    backendPath?: string;
    enableFp16Precision?: boolean;
  }
  interface CoreMLExecutionProviderOption extends Provider<'coreml'> {
    coreMlFlags?: number;
    useCPUOnly?: boolean;
    useCPUAndGPU?: boolean;
    enableOnSubgraph?: boolean;
    onlyEnableDeviceWithANE?: boolean;
  }
  interface NnapiExecutionProviderOption extends Provider<'nnapi'> {
    useFP16?: boolean;
    useNCHW?: boolean;
    cpuDisabled?: boolean;
    cpuOnly?: boolean;
  }
  interface ExecutionProviderOptionMap {
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
  type ExecutionProviderName = keyof ExecutionProviderOptionMap;
  type ExecutionProviderConfig = ExecutionProviderOptionMap[ExecutionProviderName] | ExecutionProviderOption | string;

  interface SessionOptions extends Omit<OwnOptions, 'externalData'>, OnnxModelOptions {
    /** In order of preference. `wasm` and `cpu` are Sardonyx, which also replaces GPU providers; unavailable providers are ignored. */
    executionProviders?: readonly ExecutionProviderConfig[];
    /** Outputs can only be in CPU memory. */
    preferredOutputLocation?: Tensor.DataLocation | { readonly [outputName: string]: Tensor.DataLocation };
    graphOptimizationLevel?: OptimizationLevel;
    intraOpNumThreads?: number;
    freeDimensionOverrides?: { readonly [dimensionName: string]: number };
    enableProfiling?: boolean;
    /** This option and the following ones have no effect. */
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

  interface RunOptions extends Omit<OwnRunOptions, 'extra'> {
    /** Refuses the run. */
    terminate?: boolean;
    extra?: Record<string, unknown>;
  }

  interface TensorValueMetadata {
    readonly name: string;
    readonly isTensor: true;
    readonly type: Tensor.Type;
    readonly shape: readonly (number | string)[];
  }
  interface NonTensorValueMetadata {
    readonly name: string;
    readonly isTensor: false;
  }
  type ValueMetadata = TensorValueMetadata | NonTensorValueMetadata;
}
