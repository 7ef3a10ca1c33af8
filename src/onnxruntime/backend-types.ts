import type { Profile } from './open-session.js';
import type { SessionTypes } from './session-types.js';

export declare namespace SessionHandler {
  type FeedsType = SessionTypes.OnnxValueMapType;
  type FetchesType = SessionTypes.NullableOnnxValueMapType;
  type ReturnType = SessionTypes.ReturnType;
}

/** A session as onnxruntime-common requires it from a backend. */
export interface InferenceSessionHandler {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly SessionTypes.ValueMetadata[];
  readonly outputMetadata: readonly SessionTypes.ValueMetadata[];
  startProfiling(): void;
  endProfiling(): void;
  /** An extension of onnxruntime-common. */
  readonly profile?: Profile;
  run(
    feeds: SessionTypes.OnnxValueMapType,
    fetches: SessionTypes.NullableOnnxValueMapType,
    options: SessionTypes.RunOptions,
  ): Promise<SessionTypes.ReturnType>;
  dispose(): Promise<void>;
}

/** A backend for `registerBackend`, here and in onnxruntime-common. */
export interface Backend {
  init(backendName: string): Promise<void>;
  createInferenceSessionHandler(
    uriOrBuffer: string | Uint8Array,
    options?: SessionTypes.SessionOptions,
  ): Promise<InferenceSessionHandler>;
}
