import type { OptimizationLevel, SessionOptions as OwnOptions } from '../session/options.js';
import type { RunOptions as OwnRunOptions } from '../session/run-options.js';
import { Session } from './session.js';
import type { Tensor } from './tensor.js';

export type FileType = string | Blob | Uint8Array | ArrayBufferLike;

/** onnxruntime-common's types of sessions, under its names. */
export declare namespace InferenceSession {
  type OnnxValueMapType = { readonly [name: string]: Tensor };
  type NullableOnnxValueMapType = { readonly [name: string]: Tensor | null };
  type FeedsType = OnnxValueMapType;
  type FetchesType = readonly string[] | NullableOnnxValueMapType;
  type ReturnType = OnnxValueMapType;

  type ExecutionProviderConfig = string | { readonly name: string; readonly [option: string]: unknown };

  interface SessionOptions extends Omit<OwnOptions, 'externalData'> {
    /** In the order of preference: `wasm` and `cpu` are Sardonyx; what is not there is passed over. */
    executionProviders?: readonly ExecutionProviderConfig[];
    externalData?: readonly (string | { readonly path: string; readonly data: FileType })[];
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

export interface InferenceSession
  extends Pick<
    Session,
    | 'release'
    | 'startProfiling'
    | 'endProfiling'
    | 'profile'
    | 'inputNames'
    | 'outputNames'
    | 'inputMetadata'
    | 'outputMetadata'
  > {
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

export const InferenceSession: InferenceSessionFactory = Session;
