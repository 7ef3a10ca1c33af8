import type { Model } from 'sardonyx/model';

/** A file as a model. */
export interface Loaded {
  readonly model: Model;
  /** As people call it; undefined of ONNX. */
  readonly format?: string | undefined;
  /** Whether its operators are not those of ONNX, or it has none: it can be looked at, not run. */
  readonly isViewOnly?: boolean | undefined;
}
