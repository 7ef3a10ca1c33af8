import type { Value } from '../../graph/graph.js';
import type { AttributeSpecs, AttributeValues } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Operator } from '../../schema/definition.js';
import type { ElementType } from '../../tensor/element-types.js';
import { arithmeticOn, castTo } from '../emit.js';

/** Operands for updating one tensor, in the tensor's type. */
export interface Step<A> {
  readonly attributes: A;
  readonly f: ReturnType<typeof arithmeticOn>;
  readonly rate: Value;
  /** Number of previous updates. */
  readonly updates: Value;
  readonly x: Value;
  /** The gradient with regularization: norm_coefficient · x + g. */
  readonly g: Value;
  readonly states: readonly Value[];
}

const [RATE, UPDATES, FIRST] = [0, 1, 2];
const FLOATS: readonly ElementType[] = ['float32', 'float64'];

/**
 * Declares an optimizer. After the learning rate and the number of updates, its inputs are all tensors, all their gradients and all their
 * states, list after list; its outputs are the new tensors and the new states.
 */
export function defineOptimizer<const S extends AttributeSpecs & { norm_coefficient: unknown }>(declaration: {
  readonly name: string;
  readonly attributes: S;
  readonly states: number;
  /** Returns the new tensor and its new states. */
  readonly step: (step: Step<AttributeValues<S>>) => readonly Value[];
}): Operator<S> {
  const { name, attributes, states, step } = declaration;
  const lists = states + 2;
  return defineOp<S>({
    domain: 'ai.onnx.preview.training',
    name,
    signature: 'R: T1, T: T2, inputs*: T3 -> outputs...: T3',
    types: { T1: FLOATS, T2: ['int64'], T3: FLOATS },
    attributes,
    infer(c) {
      const count = (c.inputCount - FIRST) / lists;
      if (!Number.isInteger(count) || count < 1)
        c.fail('INVALID_GRAPH', `inputs from ${FIRST} must be ${lists} lists of equal length`);
      const outputs = (states + 1) * count;
      if (c.outputCount > outputs) c.fail('INVALID_GRAPH', `expected ${outputs} outputs, got ${c.outputCount}`);
      const withoutGradients = (i: number) => (i < count ? i : i + count);
      return Array.from({ length: (states + 1) * count }, (_, i) => c.type(FIRST + withoutGradients(i)));
    },
    decompose(c) {
      const count = (c.inputCount - FIRST) / lists;
      const moved = Array.from({ length: count }, (_, i) => step(stepOf(c, i, count, states)));
      return Array.from({ length: states + 1 }, (_, list) => moved.map((results) => results[list] as Value)).flat();
    },
  });
}

function stepOf<A>(c: Decomposition<A>, i: number, count: number, states: number): Step<A> {
  const at = (list: number) => FIRST + list * count + i;
  const element = c.element(at(0));
  const f = arithmeticOn(c, element);
  const x = c.input(at(0));
  const { norm_coefficient } = c.attributes as { norm_coefficient: number };
  return {
    attributes: c.attributes,
    f,
    rate: c.element(RATE) === element ? c.input(RATE) : castTo(c, c.input(RATE), element),
    updates: castTo(c, c.input(UPDATES), element),
    x,
    g: norm_coefficient === 0 ? c.input(at(1)) : f('Add', f('Mul', x, norm_coefficient), c.input(at(1))),
    states: Array.from({ length: states }, (_, s) => c.input(at(2 + s))),
  };
}
