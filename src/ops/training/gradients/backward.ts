import type { Value } from '../../../graph/graph.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import type { Inference } from '../../definition.js';
import { arithmeticOn, type Emitting, emitOne } from '../../emit.js';

/** A node whose derivatives are wanted. */
export interface Backward extends Inference<Record<string, unknown>>, Emitting {
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

export const rankOf = (c: Backward, i: number): number =>
  c.dims(i)?.length ?? c.fail('INVALID_SHAPE', `the rank of input ${i} must be known for its derivative`);
