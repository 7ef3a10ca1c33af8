import type { ModelField } from './changes.js';
import type { TensorFacts } from './tensors.js';

export type Pairs = readonly (readonly [key: string, text: string])[];

/** A model's metadata, and that of one of its graphs. */
export interface About {
  readonly fields: readonly (readonly [ModelField, string])[];
  readonly doc: string;
  readonly metadata: Pairs;
  readonly graph: {
    readonly name: string;
    readonly doc: string;
    readonly metadata: Pairs;
    /** Opset versions by domain: the model's, or those of the function that contains the graph. */
    readonly opsets: Pairs;
  };
}

export interface AttributeDetails {
  readonly name: string;
  /** `int`, `floats`, `graph`… */
  readonly kind: string;
  readonly text: string;
  readonly doc: string;
  readonly tensors: readonly TensorFacts[];
  /** The graphs that the attribute holds, for navigation. */
  readonly graphs?: readonly GraphFacts[];
}

export interface GraphFacts {
  readonly path: string;
  /** `then_branch`, or `branches[1]` of a list. */
  readonly title: string;
  readonly name: string;
}

/** Details of a node beyond the outline. */
export interface NodeDetails {
  /** The opset version of its domain, imported by the model or the function that contains it. */
  readonly version: number | undefined;
  readonly doc: string;
  readonly overload: string;
  readonly metadata: Pairs;
  readonly attributes: readonly AttributeDetails[];
  /** The path of the function called. */
  readonly calls?: string;
}

/** Details of a value beyond the outline. */
export interface ValueDetails {
  readonly doc: string;
  readonly metadata: Pairs;
  /** Names of its scale, zero point and the like, by role. */
  readonly quantization: Pairs;
  /** The tensor of an initializer or Constant. */
  readonly tensor?: TensorFacts;
}
