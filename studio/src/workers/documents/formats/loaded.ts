import type { Model } from 'sardonyx/model';

/** A model loaded from a file. */
export interface Loaded {
  readonly model: Model;
  /** Display name; undefined for ONNX. */
  readonly format?: string | undefined;
  /** Whether it can be viewed but not run: it has non-ONNX operators, or none. */
  readonly isViewOnly?: boolean | undefined;
}
