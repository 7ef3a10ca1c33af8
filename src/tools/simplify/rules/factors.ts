import type { Graph, Node, Value } from '../../../graph/graph.js';
import { allNodes } from '../../../graph/walk.js';
import type { GraphEditor } from '../../../optimize/editor.js';
import { bytesOf, type FileGrowth } from '../../../optimize/file-growth.js';
import type { Rule } from '../../../optimize/rule.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';

/** The maximum number of elements of a constant that is recomputed. */
const MAX_ELEMENTS = 1 << 16;

/** The number of nodes in a graph and its subgraphs that read a constant. */
const readersIn = (whole: Graph, constant: TensorValue): number =>
  [...allNodes(whole)].filter(({ inputs }) => inputs.some((value) => value?.constant === constant)).length;

/** The smallest normal float32. */
const LEAST = 2 ** -126;

/** Whether a product is accurate except for rounding, without overflow or underflow. A factor of 0 is allowed. */
const isExact = (product: number, a: number, b: number): boolean =>
  Number.isFinite(product) && (Math.abs(product) >= LEAST || a === 0 || b === 0);

type Floats = TensorValue & { readonly data: Float32Array };

const isFloats = (contents: TensorValue | undefined): contents is Floats => contents?.type === 'float32';

/** Whether it is a scalar, which never changes the shape of a product. */
const isNumber = (contents: TensorValue): boolean => contents.dims.length === 0;

/** The non-constant factor of a product, and the constant float32 factor. */
function factorsOf({ inputs }: Node, editor: GraphEditor): readonly [Value, Floats] | undefined {
  const [a, b] = inputs as [Value, Value];
  const [left, right] = [editor.facts.get(a)?.contents, editor.facts.get(b)?.contents];
  if (isFloats(right) && !left) return [a, right];
  return isFloats(left) && !right ? [b, left] : undefined;
}

/** Removes products with the scalar 1. */
export const unitFactors: Rule = {
  name: 'times the number 1',
  roots: ['Mul'],
  propose(node, editor) {
    const [x, factor] = factorsOf(node, editor) ?? [];
    return x && factor && isNumber(factor) && factor.data[0] === 1 ? { replaces: [x], covers: [node] } : undefined;
  },
};

/** Merges consecutive multiplications by a constant and a scalar into one. `whole` is the main graph. */
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
