import type { Node, Value } from '../../../graph/graph.js';
import type { GraphEditor } from '../../../optimize/editor.js';
import type { Rule } from '../../../optimize/rule.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';

/** Larger constants are not computed anew: the file would grow. */
const MAX_ELEMENTS = 1 << 16;

type Floats = TensorValue & { readonly data: Float32Array };

const isFloats = (contents: TensorValue | undefined): contents is Floats => contents?.type === 'float32';

/** Of rank 0: it changes no shape, even one that is not known. */
const isNumber = (contents: TensorValue): boolean => contents.dims.length === 0;

/** The factor of a product that is a constant of floats, and the other one, which is none. */
function factorsOf({ inputs }: Node, editor: GraphEditor): readonly [Value, Floats] | undefined {
  const [a, b] = inputs as [Value, Value];
  const [left, right] = [editor.facts.get(a)?.contents, editor.facts.get(b)?.contents];
  if (isFloats(right) && !left) return [a, right];
  return isFloats(left) && !right ? [b, left] : undefined;
}

/** Products with 1, of whatever shape. */
export const unitFactors: Rule = {
  name: 'times the number 1',
  roots: ['Mul'],
  propose(node, editor) {
    const [x, factor] = factorsOf(node, editor) ?? [];
    return x && factor && isNumber(factor) && factor.data[0] === 1 ? { replaces: [x], covers: [node] } : undefined;
  },
};

/** A constant and a number, one after the other, become one constant. */
export const factors: Rule = {
  name: 'two constant factors',
  roots: ['Mul'],
  propose(node, editor, build) {
    const [product, outer] = factorsOf(node, editor) ?? [];
    const before = product && editor.producerOf(product);
    const [x, inner] = (before?.op === 'Mul' && before.domain === '' && factorsOf(before, editor)) || [];
    if (!outer || !before || !x || !inner || !(isNumber(outer) || isNumber(inner))) return undefined;
    const [number, constant] = isNumber(outer) ? [outer, inner] : [inner, outer];
    if (elementCount(constant.dims) > MAX_ELEMENTS) return { refused: 'the constant is large' };
    const data = constant.data.map((value) => value * (number.data[0] as number));
    if (!data.every(Number.isFinite)) return { refused: 'a product of the factors overflows' };
    return { replaces: build.repeat(node, [x, build.constant({ ...constant, data })]), covers: [node, before] };
  },
};
