import type { Profile } from './open-session.js';
import type * as Types from './session-types.js';

export declare namespace SessionHandler {
  type FeedsType = Types.OnnxValueMapType;
  type FetchesType = Types.NullableOnnxValueMapType;
  type ReturnType = Types.ReturnType;
}

/** A session as onnxruntime-common wants it from a backend. */
export interface InferenceSessionHandler {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly Types.ValueMetadata[];
  readonly outputMetadata: readonly Types.ValueMetadata[];
  startProfiling(): void;
  endProfiling(): void;
  /** Beyond onnxruntime-common. */
  readonly profile?: Profile;
  run(
    feeds: Types.OnnxValueMapType,
    fetches: Types.NullableOnnxValueMapType,
    options: Types.RunOptions,
  ): Promise<Types.ReturnType>;
  dispose(): Promise<void>;
}

/** What `registerBackend` takes, here and in onnxruntime-common. */
export interface Backend {
  init(backendName: string): Promise<void>;
  createInferenceSessionHandler(
    uriOrBuffer: string | Uint8Array,
    options?: Types.SessionOptions,
  ): Promise<InferenceSessionHandler>;
}
