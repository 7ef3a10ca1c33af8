import { CompatibleSession } from './compatible-session.js';
import type { Profile } from './open-session.js';
import type * as Types from './session-types.js';
import type { Tensor } from './tensor.js';

export type * from './file-types.js';
export type NonTensorType = never;
export type OnnxValue = Tensor;
export type OnnxValueDataLocation = Tensor.DataLocation;

/** onnxruntime-common's types of sessions, under its names. */
export declare namespace InferenceSession {
  type OnnxValueMapType = Types.OnnxValueMapType;
  type NullableOnnxValueMapType = Types.NullableOnnxValueMapType;
  type FeedsType = Types.FeedsType;
  type FetchesType = Types.FetchesType;
  type ReturnType = Types.ReturnType;
  type ExecutionProviderOption = Types.ExecutionProviderOption;
  type Provider<Name extends string> = Types.Provider<Name>;
  type CpuExecutionProviderOption = Types.CpuExecutionProviderOption;
  type WebAssemblyExecutionProviderOption = Types.WebAssemblyExecutionProviderOption;
  type CudaExecutionProviderOption = Types.CudaExecutionProviderOption;
  type DmlExecutionProviderOption = Types.DmlExecutionProviderOption;
  type TensorRtExecutionProviderOption = Types.TensorRtExecutionProviderOption;
  type WebGLExecutionProviderOption = Types.WebGLExecutionProviderOption;
  type XnnpackExecutionProviderOption = Types.XnnpackExecutionProviderOption;
  type BufferCacheMode = Types.BufferCacheMode;
  type WebGpuExecutionProviderOption = Types.WebGpuExecutionProviderOption;
  type WebNNExecutionProviderName = Types.WebNNExecutionProviderName;
  type WebNNContextOptions = Types.WebNNContextOptions;
  type WebNNOptionsWithoutMLContext = Types.WebNNOptionsWithoutMLContext;
  type WebNNOptionsWithMLContext = Types.WebNNOptionsWithMLContext;
  type WebNNOptionsWebGpu = Types.WebNNOptionsWebGpu;
  type WebNNExecutionProviderOption = Types.WebNNExecutionProviderOption;
  type QnnExecutionProviderOption = Types.QnnExecutionProviderOption;
  type CoreMLExecutionProviderOption = Types.CoreMLExecutionProviderOption;
  type NnapiExecutionProviderOption = Types.NnapiExecutionProviderOption;
  type ExecutionProviderOptionMap = Types.ExecutionProviderOptionMap;
  type ExecutionProviderName = Types.ExecutionProviderName;
  type ExecutionProviderConfig = Types.ExecutionProviderConfig;
  type SessionOptions = Types.SessionOptions;
  type RunOptions = Types.RunOptions;
  type TensorValueMetadata = Types.TensorValueMetadata;
  type NonTensorValueMetadata = Types.NonTensorValueMetadata;
  type ValueMetadata = Types.ValueMetadata;
}

export interface InferenceSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly outputMetadata: readonly InferenceSession.ValueMetadata[];
  release(): Promise<void>;
  startProfiling(): void;
  endProfiling(): void;
  /** The steps timed since profiling began. */
  readonly profile: Profile;
  run(feeds: InferenceSession.FeedsType, options?: InferenceSession.RunOptions): Promise<InferenceSession.ReturnType>;
  run(
    feeds: InferenceSession.FeedsType,
    fetches: InferenceSession.FetchesType,
    options?: InferenceSession.RunOptions,
  ): Promise<InferenceSession.ReturnType>;
}

export interface InferenceSessionFactory {
  create(uri: string | URL, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
  create(buffer: ArrayBufferLike | Uint8Array, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
  create(
    buffer: ArrayBufferLike,
    byteOffset: number,
    byteLength?: number,
    options?: InferenceSession.SessionOptions,
  ): Promise<InferenceSession>;
}

export const InferenceSession: InferenceSessionFactory = CompatibleSession;
