import type { Value } from '../../../graph/graph.js';
import type { Draft } from '../../import/tfjs/draft.js';

/** A node of ONNX's. */
export interface Lowered {
  /** Its attributes as they are declared, with their defaults. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Of the type that its first result is inferred to have. */
  readonly like: Value;
  /** How many of its results are asked for. */
  readonly wanted: number;
}

/** Says an operator by those that TensorFlow.js has; images have their channels last there. */
export type Lowering = (inputs: readonly (Value | null)[], d: Draft, node: Lowered) => Value | readonly Value[];
