import type { Graph, Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import type { Decomposition, Inference } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { arithmeticOn, type Emitting, emitOne } from '../../emit.js';

/** Where nodes of derivatives are put. */
export interface Scope extends Emitting {
  /**
   * Puts here a copy of a subgraph on `feeds`, whose types are known, and takes the derivatives by `variables`, which are feeds
   * and outer values, `seeds` being those by the outputs; null: zero.
   */
  through(
    graph: Graph,
    feeds: readonly Value[],
    seeds: readonly (Value | null)[],
    variables: readonly Value[],
  ): (Value | null)[];
  /** A subgraph of a node that is put here. */
  graph(name: string, inputs: readonly Value[], build: (scope: Scope) => readonly Value[]): Graph;
}

/** A node whose derivatives are wanted. */
export interface Backward extends Inference<Record<string, unknown>>, Scope {
  /** Outer values that its subgraphs read and derivatives are wanted by; in a rule's answer they follow the inputs. */
  readonly captures: readonly Value[];
  /** What is known of any value; undefined: nothing. */
  typeOf(value: Value): ValueType | undefined;
  /** First opset version of the definition that the node follows. */
  readonly since: number;
  input(i: number): Value;
  /** Output `i`; the node gets one if it lacks it. */
  output(i: number): Value;
  /** Derivative by output `i`; null where nothing depends on it. */
  upstream(i: number): Value | null;
  /** The node once more, in its own version, on other inputs. */
  repeat(inputs: readonly (Value | null)[]): Value;
}

/** Whether a value is made of floats, so that there are derivatives by it. */
export const isReal = (type: ValueType | null | undefined): boolean => {
  if (type?.kind === 'sequence' || type?.kind === 'optional') return isReal(type.of);
  return type?.kind === 'tensor' && FLOATS.includes(type.element);
};

/** Derivatives by the inputs, in order, as nodes; null: zero; undefined, also beyond the end: not known. */
export type BackwardRule = (c: Backward) => readonly (Value | null | undefined)[];

export type BackwardRules = Readonly<Record<string, BackwardRule>>;

/** Derivative by output 0, which is the one that most operators have. */
export const upstreamOf = (c: Backward): Value => c.upstream(0) ?? zerosLike(c, c.output(0));

export const arithmetic = (c: Backward) => arithmeticOn(c, c.element(0));

/** Sums `value` over the axes along which input `i` was broadcast. */
export const reducedTo = (c: Backward, value: Value, i: number): Value =>
  emitOne(c, 'sardonyx:ReduceTo', [value, c.input(i)]);

export const shapeOf = (c: Emitting, value: Value): Value => emitOne(c, 'Shape', [value]);

/** A tensor of `value`'s shape. */
export const filled = (c: Emitting, value: Value, element: ElementType, fill: number): Value =>
  emitOne(c, 'ConstantOfShape', [shapeOf(c, value)], {
    value: { type: 'tensor', value: tensorOf(element, [1], [fill]) },
  });

/** The same in the node's element type. */
export const filledLike = (c: Backward, value: Value, fill: number): Value => filled(c, value, c.element(0), fill);

export const zerosLike = (c: Backward, value: Value): Value => filledLike(c, value, 0);

/**
 * The product of what is multiplied beside `x`, given the product of those that are not 0 and how many are: where one other
 * than x is 0, so is the product.
 */
export function productOfOthers(c: Backward, x: Value, product: Value, zeros: Value): Value {
  const f = arithmetic(c);
  const isZero = f('Equal', x, 0);
  const others = f('Sub', zeros, f('Where', isZero, 1, 0));
  return f('Where', f('Equal', others, 0), f('Div', product, f('Where', isZero, 1, x)), 0);
}

export const rankOf = (c: Backward, i: number): number =>
  c.dims(i)?.length ?? c.fail('INVALID_SHAPE', `the rank of input ${i} must be known for its derivative`);

/** A node in other operators, for the sake of its derivatives; undefined while too little is known. */
// biome-ignore lint/suspicious/noExplicitAny: attributes are the operator's own
export type Spelling = (c: Decomposition<any>) => Value[] | undefined;

export type Spellings = Readonly<Record<string, Spelling>>;
