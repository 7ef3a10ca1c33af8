import { NodeProto } from '../../../../build/onnx.js';
import { ELEMENTS, type ElementType, elementTypeOf } from '../../../tensor/element-types.js';
import { int, ints } from '../node.js';
import {
  type Draft,
  draftOf,
  given,
  neededDims,
  neededElement,
  type Recipe,
  type Recipes,
  type Step,
} from '../step.js';

/** The axes from `axis` to the last. */
function axesOf(step: Step): number[] {
  const axis = given(step, 'axis', -1);
  const last = axis < 0 ? 0 : neededDims(step, 0).length;
  return Array.from({ length: last - axis }, (_, i) => axis + i);
}

interface Stashed {
  readonly draft: Draft;
  readonly element: ElementType;
  /** The input in the element type of the statistics. */
  readonly x: string;
  readonly of: (opType: string, ...operands: readonly string[]) => string;
  readonly mean: (x: string) => string;
  /** Casts back to the type of the input. */
  readonly back: (x: string) => string;
}

function stashed(step: Step): Stashed {
  const draft = draftOf(step);
  const own = neededElement(step, 0);
  const element = elementTypeOf(given(step, 'stash_type', 1)) ?? own;
  const cast = (x: string, to: ElementType) =>
    element === own ? x : draft.emit('Cast', [x], [int('to', ELEMENTS[to].onnx)]);
  const axes = axesOf(step);
  const mean = (x: string) =>
    step.opset < 18
      ? draft.emit('ReduceMean', [x], [ints('axes', axes)])
      : draft.emit('ReduceMean', [x, draft.vector(axes)]);
  const of: Stashed['of'] = (opType, ...operands) => draft.emit(opType, operands);
  return { draft, element, x: cast(step.node.input[0] as string, element), of, mean, back: (x) => cast(x, own) };
}

/** 1 ÷ √(x + ε) */
const inverse = ({ draft, element, of }: Stashed, step: Step, x: string): string =>
  of('Reciprocal', of('Sqrt', of('Add', x, draft.constant(element, [], [given(step, 'epsilon', 1e-5)]))));

const layerNormalization: Recipe = (step) => {
  const { input, output } = step.node;
  const [, scale = '', bias] = input;
  const s = stashed(step);
  const mean = s.mean(s.x);
  const centered = s.of('Sub', s.x, mean);
  const deviation = inverse(s, step, s.mean(s.of('Mul', centered, centered)));
  const normal = s.back(s.of('Mul', centered, deviation));
  const nodes = bias
    ? s.draft.end('Add', [s.draft.emit('Mul', [normal, scale]), bias])
    : s.draft.end('Mul', [normal, scale]);
  const statistics = [mean, deviation].flatMap((name, i) =>
    output[i + 1] ? [new NodeProto({ opType: 'Identity', input: [name], output: [output[i + 1] as string] })] : [],
  );
  const last = nodes.at(-1) as NodeProto;
  return [...nodes.slice(0, -1), new NodeProto({ ...last, output: [output[0] as string] }), ...statistics];
};

const rmsNormalization: Recipe = (step) => {
  const s = stashed(step);
  const normal = s.of('Mul', s.x, inverse(s, step, s.mean(s.of('Mul', s.x, s.x))));
  return s.draft.end('Mul', [s.back(normal), step.node.input[1] as string]);
};

export const NORMALIZING: Recipes = {
  'LayerNormalization 17': { down: layerNormalization },
  'RMSNormalization 23': { down: rmsNormalization },
};
