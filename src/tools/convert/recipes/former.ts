import { ELEMENTS } from '../../../tensor/element-types.js';
import { block, int, numbersAt } from '../node.js';
import { type Draft, draftOf, elementAt, given, neededElement, type Placed, type PlacedRecipe } from '../step.js';

/** The last opset with experimental operators, which have no versions of their own. */
export const LAST_FORMER = 9;

/** Helpers to write an operator. Constants have the input's type. */
interface Body {
  readonly draft: Draft;
  readonly x: string;
  readonly attribute: (name: string, fallback: number) => string;
  readonly numbers: (dims: readonly number[], values: readonly number[]) => string;
}

const elementwise =
  (write: (b: Body, node: Placed['node']) => ReturnType<PlacedRecipe>): PlacedRecipe =>
  (step) => {
    const draft = draftOf(step);
    const element = neededElement(step, 0);
    const numbers: Body['numbers'] = (dims, values) => draft.constant(element, dims, values);
    const attribute: Body['attribute'] = (name, fallback) => numbers([], [given(step, name, fallback)]);
    return write({ draft, x: step.node.input[0] as string, attribute, numbers }, step.node);
  };

const affine = elementwise(({ draft, x, attribute }) =>
  draft.end('Add', [draft.emit('Mul', [x, attribute('alpha', 1)]), attribute('beta', 0)]),
);

const scale = elementwise(({ draft, x, attribute }) => draft.end('Mul', [x, attribute('scale', 1)]));

const scaled = (op: string) =>
  elementwise(({ draft, x, attribute }) =>
    draft.end('Mul', [draft.emit(op, [draft.emit('Mul', [x, attribute('beta', 1)])]), attribute('alpha', 1)]),
  );

const imageScaler = elementwise(({ draft, x, attribute, numbers }, node) => {
  const bias = numbersAt(node, 'bias') ?? block('the attribute bias is missing');
  return draft.end('Add', [draft.emit('Mul', [x, attribute('scale', 1)]), numbers([bias.length, 1, 1], bias)]);
});

/** An end beyond any axis. */
const END = Number.MAX_SAFE_INTEGER;

const crop: PlacedRecipe = (step) => {
  const { node } = step;
  const draft = draftOf(step);
  const [left, top, right, bottom, ...others] = numbersAt(node, 'border') ?? [];
  if (left === undefined || top === undefined || right === undefined || bottom === undefined || others.length > 0)
    return block('border must have four values: left, top, right, bottom');
  const sizes = numbersAt(node, 'scale');
  const end = (first: number, size: number | undefined, margin: number) =>
    size === undefined ? (margin === 0 ? END : -margin) : first + size;
  const ends = [end(top, sizes?.[0], bottom), end(left, sizes?.[1], right)];
  return draft.end('Slice', [
    node.input[0] as string,
    draft.vector([top, left]),
    draft.vector(ends),
    draft.vector([2, 3]),
  ]);
};

/** Slice has the same inputs since opset 10. */
const dynamicSlice: PlacedRecipe = (step) => draftOf(step).end('Slice', step.node.input);

const ended =
  (name: string): PlacedRecipe =>
  () =>
    block(`${name} was experimental and was removed after opset ${LAST_FORMER}; there is no replacement`);

/**
 * Recipes that replace experimental operators.
 * https://github.com/onnx/onnx/blob/rel-1.3/docs/Operators.md#experimental-onnx-operators
 */
export const FORMER: Readonly<Record<string, PlacedRecipe>> = {
  Affine: affine,
  Crop: crop,
  DynamicSlice: dynamicSlice,
  ImageScaler: imageScaler,
  ParametricSoftplus: scaled('Softplus'),
  Scale: scale,
  ScaledTanh: scaled('Tanh'),
  ...Object.fromEntries(['ATen', 'ConstantFill', 'GRUUnit', 'GivenTensorFill'].map((name) => [name, ended(name)])),
};

/** Operators that onnxruntime also accepts in older opsets, and the opset in which ONNX added them. */
export const EARLY_SINCE: Readonly<Record<string, number>> = { LayerNormalization: 17 };

/** onnxruntime accepts a scale of another type than the input, and returns that type; ONNX requires one type. */
const layerNormalization: PlacedRecipe = (step) => {
  const [own, other] = [elementAt(step, 0), elementAt(step, 1)];
  if (!own || !other || own === other) return [step.node];
  const draft = draftOf(step);
  const [x = '', ...affine] = step.node.input;
  const cast = draft.emit('Cast', [x], [int('to', ELEMENTS[other].onnx)]);
  return draft.end('LayerNormalization', [cast, ...affine], step.node.attribute);
};

/** Converts such operators to the first version that ONNX defines. */
export const EARLY: Readonly<Record<string, PlacedRecipe>> = { LayerNormalization: layerNormalization };
