import type { Graph, Node, Value } from '../../../graph/graph.js';
import { allNodes } from '../../../graph/walk.js';
import type { GraphEditor } from '../../../optimize/editor.js';
import { bytesOf, type FileGrowth } from '../../../optimize/file-growth.js';
import type { Rule } from '../../../optimize/rule.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';

/** Larger constants are not computed anew. */
const MAX_ELEMENTS = 1 << 16;

/** How many nodes of a graph, and of those inside it, read a constant. */
const readersIn = (whole: Graph, constant: TensorValue): number =>
  [...allNodes(whole)].filter(({ inputs }) => inputs.some((value) => value?.constant === constant)).length;

/** The least float that has all its digits. */
const LEAST = 2 ** -126;

/** Whether a product as a float is what it is but for rounding; 0 is where a factor is. */
const isExact = (product: number, a: number, b: number): boolean =>
  Number.isFinite(product) && (Math.abs(product) >= LEAST || a === 0 || b === 0);

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

/** A constant and a number, one after the other, become one constant. `whole` is the model's graph. */
export const factorsIn = (whole: Graph, growth: FileGrowth): Rule => ({
  name: 'two constant factors',
  roots: ['Mul'],
  propose(node, editor, build) {
    const [product, outer] = factorsOf(node, editor) ?? [];
    const before = product && editor.producerOf(product);
    const [x, inner] = (before?.op === 'Mul' && before.domain === '' && factorsOf(before, editor)) || [];
    if (!outer || !before || !x || !inner || !(isNumber(outer) || isNumber(inner))) return undefined;
    const [number, constant] = isNumber(outer) ? [outer, inner] : [inner, outer];
    if (elementCount(constant.dims) > MAX_ELEMENTS) return { refused: 'the constant is too large' };
    if (readersIn(whole, constant) > 1 && !growth.takes(bytesOf(constant)))
      return { refused: 'other nodes read the constant, so the file would contain both' };
    const data = constant.data.map((value) => value * (number.data[0] as number));
    if (!data.every((product, i) => isExact(product, constant.data[i] as number, number.data[0] as number)))
      return { refused: 'a product of the factors overflows or underflows' };
    return { replaces: build.repeat(node, [x, build.constant({ ...constant, data })]), covers: [node, before] };
  },
});
