import type { ModelField } from './changes.js';
import type { TensorFacts } from './tensors.js';

export type Pairs = readonly (readonly [key: string, text: string])[];

/** What a model, and one of its graphs, say of themselves. */
export interface About {
  readonly fields: readonly (readonly [ModelField, string])[];
  readonly doc: string;
  readonly metadata: Pairs;
  readonly graph: {
    readonly name: string;
    readonly doc: string;
    readonly metadata: Pairs;
    /** Versions by domain that hold in it: the model's, or those of the function that it stands in. */
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
  /** The graphs that it consists of, to be entered. */
  readonly graphs?: readonly GraphFacts[];
}

export interface GraphFacts {
  readonly path: string;
  /** `then_branch`, or `branches[1]` of a list. */
  readonly title: string;
  readonly name: string;
}

/** What a model says of a node, beyond its outline. */
export interface NodeDetails {
  /** The version of its domain that the model, or the function that it stands in, imports. */
  readonly version: number | undefined;
  readonly doc: string;
  readonly overload: string;
  readonly metadata: Pairs;
  readonly attributes: readonly AttributeDetails[];
  /** The path of the function that it calls. */
  readonly calls?: string;
}

/** What a model says of a value, beyond its outline. */
export interface ValueDetails {
  readonly doc: string;
  readonly metadata: Pairs;
  /** Names of its scale, zero point and the like, by what they are for. */
  readonly quantization: Pairs;
  /** Of an initializer, or of what a Constant makes. */
  readonly tensor?: TensorFacts;
}
