import type { AttributeInput, GraphBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { ELEMENTS } from '../../src/tensor/element-types.js';
import type { Given } from './filled.js';
import { elementOf, type Schema, type Types } from './schemas.js';

/** One operator version with its type variables bound; `label` says which of them are not bound to their first type. */
export interface Combination {
  readonly schema: Schema;
  readonly types: Types;
  readonly label: string;
}

/**
 * How to make the smallest valid node of an operator. Attributes that a version does not have are left out of it, and so
 * are inputs; those that no recipe speaks of are [2,3].
 */
export interface Recipe {
  /** By name; a list goes by position. `null` leaves an input out. */
  readonly inputs?: Inputs | ((c: Combination) => Inputs);
  /** Inputs of the fullest node, where they differ; false: no optional input fits. */
  readonly full?: Record<string, Given | null> | false;
  /** How often the last input is given, where it may repeat; twice unless said otherwise. */
  readonly repeats?: number;
  /** Optional inputs that even the smallest node has. */
  readonly always?: readonly string[];
  readonly attributes?:
    | Attributes
    | ((c: Combination, full: boolean, graph: GraphBuilder, given: GivenValues) => Attributes);
  /** Type variables of the inputs by position, where they are not the schema's. */
  readonly variables?: readonly string[];
  /** The type variable of a value that is there for subgraphs. */
  readonly captured?: string;
  /** Number of outputs of the smallest and of the fullest node. */
  readonly outputs?: number | readonly [number, number];
  /** Types that fit together, where not all do. */
  readonly types?: (types: Types, schema: Schema) => Types;
}

/** What a node's attributes may speak of: its inputs, and the value that is there for subgraphs. */
export interface GivenValues {
  readonly inputs: readonly (Value | null)[];
  readonly captured: Value | undefined;
}

export type Inputs = readonly (Given | null)[] | Readonly<Record<string, Given | null>>;
export type Attributes = Readonly<Record<string, AttributeInput | undefined>>;

export const code = (c: Combination, variable: string) => ELEMENTS[elementOf(c.types[variable] as string)].onnx;
export const bits = (type: string | undefined) => ELEMENTS[elementOf(type as string)].bits;
export const isString = (c: Combination, variable: string) => c.types[variable] === 'tensor(string)';
export const isFloating = (c: Combination, variable: string) => /float|double/.test(c.types[variable] ?? '');
