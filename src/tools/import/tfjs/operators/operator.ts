import type { Value } from '../../../../graph/graph.js';
import type { Draft } from '../draft.js';
import type { Attributes } from '../graph-def.js';

/** Those that a node has; a missing one is refused where it is used. */
export type Operands = readonly [Value, Value, Value, Value, Value, Value, ...Value[]];

/** What is around a node. */
export interface Surroundings {
  /** The operator as TensorFlow calls it. */
  readonly op: string;
  /** Writes a function of the model's library into a draft. */
  readonly call: (name: string, into: Draft, operands: readonly Value[]) => readonly Value[];
}

/** Writes what a node means, and gives its results. */
export type Operator = (
  operands: Operands,
  d: Draft,
  attributes: Attributes,
  around: Surroundings,
) => Value | readonly Value[];

export type Operators = Readonly<Record<string, Operator>>;
