import type { Value } from '../../../graph/graph.js';
import type { Draft } from '../../import/tfjs/draft.js';

/** An ONNX node to convert. */
export interface Lowered {
  /** The attributes that the operator declares, including defaults. */
  readonly given: Readonly<Record<string, unknown>>;
  /** A value with the inferred type of the first output. */
  readonly like: Value;
  /** The number of outputs that are used. */
  readonly wanted: number;
}

/** Expresses an operator by those that TensorFlow.js has. There, images have their channels last. */
export type Lowering = (inputs: readonly (Value | null)[], d: Draft, node: Lowered) => Value | readonly Value[];
