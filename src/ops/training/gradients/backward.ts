import type { Graph, Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import type { Decomposition, Inference } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { arithmeticOn, type Emitting, emitOne } from '../../emit.js';

/** A graph to which gradient nodes are added. */
export interface Scope extends Emitting {
  /**
   * Adds a copy of a subgraph on `feeds`, whose types are known, and returns gradients with respect to `variables`, which are feeds and
   * outer values. `seeds` are the gradients of the outputs; null means zero.
   */
  through(
    graph: Graph,
    feeds: readonly Value[],
    seeds: readonly (Value | null)[],
    variables: readonly Value[],
  ): (Value | null)[];
  /** A subgraph for a node that is added here. */
  graph(name: string, inputs: readonly Value[], build: (scope: Scope) => readonly Value[]): Graph;
}

/** A node whose gradients are wanted. */
export interface Backward extends Inference<Record<string, unknown>>, Scope {
  /** Outer values that its subgraphs read and whose gradients are wanted; in the result of a rule they follow the inputs. */
  readonly captures: readonly Value[];
  /** Known type of any value; undefined if unknown. */
  typeOf(value: Value): ValueType | undefined;
  /** First opset version of the node's operator definition. */
  readonly since: number;
  input(i: number): Value;
  /** Output `i`; added to the node if missing. */
  output(i: number): Value;
  /** Gradient of output `i`; null if nothing depends on it. */
  upstream(i: number): Value | null;
  /** Emits the node again, in its own version, on other inputs. */
  repeat(inputs: readonly (Value | null)[]): Value;
}

/** Whether a value consists of floats, so that it has gradients. */
export const isReal = (type: ValueType | null | undefined): boolean => {
  if (type?.kind === 'sequence' || type?.kind === 'optional') return isReal(type.of);
  return type?.kind === 'tensor' && FLOATS.includes(type.element);
};

/** Emits the gradients of the inputs, in order. null: zero; undefined, or beyond the end: unknown. */
export type BackwardRule = (c: Backward) => readonly (Value | null | undefined)[];

export type BackwardRules = Readonly<Record<string, BackwardRule>>;

/** Gradient of output 0, the only output of most operators. */
export const upstreamOf = (c: Backward): Value => c.upstream(0) ?? zerosLike(c, c.output(0));

export const arithmetic = (c: Backward) => arithmeticOn(c, c.element(0));

/** Sums `value` over the axes along which input `i` was broadcast. */
export const reducedTo = (c: Backward, value: Value, i: number): Value =>
  emitOne(c, 'sardonyx:ReduceTo', [value, c.input(i)]);

export const shapeOf = (c: Emitting, value: Value): Value => emitOne(c, 'Shape', [value]);

/** A tensor with the shape of `value`, filled with a number. */
export const filled = (c: Emitting, value: Value, element: ElementType, fill: number): Value =>
  emitOne(c, 'ConstantOfShape', [shapeOf(c, value)], {
    value: { type: 'tensor', value: tensorOf(element, [1], [fill]) },
  });

/** Like `filled`, in the node's element type. */
export const filledLike = (c: Backward, value: Value, fill: number): Value => filled(c, value, c.element(0), fill);

export const zerosLike = (c: Backward, value: Value): Value => filledLike(c, value, 0);

/** The product of all factors except `x`, given the product of the non-zero factors and the number of zeros; 0 if another factor is 0. */
export function productOfOthers(c: Backward, x: Value, product: Value, zeros: Value): Value {
  const f = arithmetic(c);
  const isZero = f('Equal', x, 0);
  const others = f('Sub', zeros, f('Where', isZero, 1, 0));
  return f('Where', f('Equal', others, 0), f('Div', product, f('Where', isZero, 1, x)), 0);
}

export const rankOf = (c: Backward, i: number): number =>
  c.dims(i)?.length ?? c.fail('INVALID_SHAPE', `the rank of input ${i} must be known for its derivative`);

/** Rewrites a node into operators that have gradients; undefined if too little is known. */
// biome-ignore lint/suspicious/noExplicitAny: attributes are the operator's own
export type Spelling = (c: Decomposition<any>) => Value[] | undefined;

export type Spellings = Readonly<Record<string, Spelling>>;
