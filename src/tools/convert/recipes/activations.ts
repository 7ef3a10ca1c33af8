import { ELEMENTS } from '../../../tensor/element-types.js';
import { block, float, int, textAt } from '../node.js';
import { type Draft, draftOf, elementAt, given, neededElement, type Recipe, type Recipes, type Step } from '../step.js';

/** Helpers to write a function of one tensor. Constants have the input's type. */
interface Body {
  readonly draft: Draft;
  readonly x: string;
  readonly attribute: (name: string, fallback: number) => number;
  readonly of: (opType: string, ...operands: readonly (string | number)[]) => string;
  /** Emits the last node. */
  readonly end: (opType: string, ...operands: readonly (string | number)[]) => ReturnType<Recipe>;
}

const activation =
  (body: (b: Body, step: Step) => ReturnType<Recipe>): Recipe =>
  (step) => {
    const draft = draftOf(step);
    const [x] = step.node.input as [string];
    const element = neededElement(step, 0);
    const named = (operand: string | number) =>
      typeof operand === 'string' ? operand : draft.constant(element, [], [operand]);
    const of: Body['of'] = (opType, ...operands) => draft.emit(opType, operands.map(named));
    const end: Body['end'] = (opType, ...operands) => draft.end(opType, operands.map(named));
    return body({ draft, x, of, end, attribute: (name, fallback) => given(step, name, fallback) }, step);
  };

const hardSwish = activation(({ draft, x, end }) =>
  end('Mul', x, draft.emit('HardSigmoid', [x], [float('alpha', 1 / 6), float('beta', 0.5)])),
);

const mish = activation(({ x, of, end }) => end('Mul', x, of('Tanh', of('Softplus', x))));

const celu = activation(({ x, of, end, attribute }) => {
  const alpha = attribute('alpha', 1);
  return end('Mul', of('Elu', of('Div', x, alpha)), alpha);
});

const swish = activation(({ x, of, end, attribute }) =>
  end('Mul', x, of('Sigmoid', of('Mul', x, attribute('alpha', 1)))),
);

const gelu = activation(({ x, of, end }, { node }) => {
  const cubed = () => of('Mul', x, of('Mul', x, x));
  const inner =
    textAt(node, 'approximate') === 'tanh'
      ? of('Tanh', of('Mul', of('Add', x, of('Mul', cubed(), 0.044715)), Math.sqrt(2 / Math.PI)))
      : of('Erf', of('Mul', x, Math.SQRT1_2));
  return end('Mul', of('Mul', x, 0.5), of('Add', inner, 1));
});

/** Replaces limits that are not constant by Max and Min. */
const clipped: Recipe = (step) => {
  const { node, contentsOf } = step;
  const [x = '', low, high] = node.input;
  if ([low, high].every((name) => !name || contentsOf(name))) return [node];
  const draft = draftOf(step);
  const raised = low && high ? draft.emit('Max', [x, low]) : x;
  return high ? draft.end('Min', [raised, high]) : draft.end('Max', [x, low as string]);
};

const INTEGERS = /^u?int/;

/** Casts an integer exponent to the type of the base. */
const powered: Recipe = (step) => {
  const [base, exponent] = [elementAt(step, 0), elementAt(step, 1)];
  if (!base || !exponent || base === exponent) return [step.node];
  if (!INTEGERS.test(exponent) || INTEGERS.test(base))
    return block(`Pow 7 needs inputs of one type, got ${base} and ${exponent}`);
  const draft = draftOf(step);
  const [x, y] = step.node.input as [string, string];
  return draft.end('Pow', [x, draft.emit('Cast', [y], [int('to', ELEMENTS[base].onnx)])]);
};

/** Activations as the ONNX operator documentation defines them. https://onnx.ai/onnx/operators */
export const ACTIVATIONS: Recipes = {
  'HardSwish 14': { down: hardSwish },
  'Mish 18': { down: mish },
  'Celu 12': { down: celu },
  'Swish 24': { down: swish },
  'Gelu 20': { down: gelu },
  'Clip 11': { down: clipped },
  'Pow 12': { down: powered },
};
