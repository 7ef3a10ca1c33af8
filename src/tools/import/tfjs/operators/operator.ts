import type { Value } from '../../../../graph/graph.js';
import type { Draft } from '../draft.js';
import type { Attributes } from '../graph-def.js';

/** The operands of a node. Missing ones are refused when they are used. */
export type Operands = readonly [Value, Value, Value, Value, Value, Value, ...Value[]];

/** The context of a node. */
export interface Surroundings {
  /** TensorFlow's name of the operator. */
  readonly op: string;
  /** Writes a function of the model into a draft. */
  readonly call: (name: string, into: Draft, operands: readonly Value[]) => readonly Value[];
}

/** Converts a node and returns its outputs. */
export type Operator = (
  operands: Operands,
  d: Draft,
  attributes: Attributes,
  around: Surroundings,
) => Value | readonly Value[];

export type Operators = Readonly<Record<string, Operator>>;
