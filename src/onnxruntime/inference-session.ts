import { CompatibleSession } from './compatible-session.js';
import type { Profile } from './open-session.js';
import type { SessionTypes } from './session-types.js';
import type { Tensor } from './tensor.js';

export type * from './file-types.js';
export type NonTensorType = never;
export type OnnxValue = Tensor;
export type OnnxValueDataLocation = Tensor.DataLocation;

/** onnxruntime-common's session types, under its names. */
export declare namespace InferenceSession {
  type OnnxValueMapType = SessionTypes.OnnxValueMapType;
  type NullableOnnxValueMapType = SessionTypes.NullableOnnxValueMapType;
  type FeedsType = SessionTypes.FeedsType;
  type FetchesType = SessionTypes.FetchesType;
  type ReturnType = SessionTypes.ReturnType;
  type ExecutionProviderOption = SessionTypes.ExecutionProviderOption;
  type Provider<Name extends string> = SessionTypes.Provider<Name>;
  type CpuExecutionProviderOption = SessionTypes.CpuExecutionProviderOption;
  type WebAssemblyExecutionProviderOption = SessionTypes.WebAssemblyExecutionProviderOption;
  type CudaExecutionProviderOption = SessionTypes.CudaExecutionProviderOption;
  type DmlExecutionProviderOption = SessionTypes.DmlExecutionProviderOption;
  type TensorRtExecutionProviderOption = SessionTypes.TensorRtExecutionProviderOption;
  type WebGLExecutionProviderOption = SessionTypes.WebGLExecutionProviderOption;
  type XnnpackExecutionProviderOption = SessionTypes.XnnpackExecutionProviderOption;
  type BufferCacheMode = SessionTypes.BufferCacheMode;
  type WebGpuExecutionProviderOption = SessionTypes.WebGpuExecutionProviderOption;
  type WebNNExecutionProviderName = SessionTypes.WebNNExecutionProviderName;
  type WebNNContextOptions = SessionTypes.WebNNContextOptions;
  type WebNNOptionsWithoutMLContext = SessionTypes.WebNNOptionsWithoutMLContext;
  type WebNNOptionsWithMLContext = SessionTypes.WebNNOptionsWithMLContext;
  type WebNNOptionsWebGpu = SessionTypes.WebNNOptionsWebGpu;
  type WebNNExecutionProviderOption = SessionTypes.WebNNExecutionProviderOption;
  type QnnExecutionProviderOption = SessionTypes.QnnExecutionProviderOption;
  type CoreMLExecutionProviderOption = SessionTypes.CoreMLExecutionProviderOption;
  type NnapiExecutionProviderOption = SessionTypes.NnapiExecutionProviderOption;
  type ExecutionProviderOptionMap = SessionTypes.ExecutionProviderOptionMap;
  type ExecutionProviderName = SessionTypes.ExecutionProviderName;
  type ExecutionProviderConfig = SessionTypes.ExecutionProviderConfig;
  type SessionOptions = SessionTypes.SessionOptions;
  type RunOptions = SessionTypes.RunOptions;
  type TensorValueMetadata = SessionTypes.TensorValueMetadata;
  type NonTensorValueMetadata = SessionTypes.NonTensorValueMetadata;
  type ValueMetadata = SessionTypes.ValueMetadata;
}

export interface InferenceSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly outputMetadata: readonly InferenceSession.ValueMetadata[];
  release(): Promise<void>;
  startProfiling(): void;
  endProfiling(): void;
  /** The steps timed since profiling started. */
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
