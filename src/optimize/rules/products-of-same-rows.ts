import { intsAttribute } from '../../graph/attributes.js';
import type { Node, Value } from '../../graph/graph.js';
import { A, BIAS } from '../../primitives/n-bit-matmul.js';
import { keyOf } from '../common-subexpressions.js';
import type { GraphEditor } from '../editor.js';
import type { Rule } from '../rule.js';

const PRODUCT = 'sardonyx:MatMulNBits';

/** The properties that products by matrices of equal depth and blocks share, as text. */
const alikeOf = ({ attributes: { N, ...others }, ...node }: Node): string | undefined =>
  keyOf({ ...node, attributes: others });

/** Whether a node is a product of `rows`, and all its other inputs have no producers. */
const isProduct = (editor: GraphEditor, { domain, op, inputs }: Node, rows: Value): boolean =>
  `${domain}:${op}` === PRODUCT &&
  inputs.every((value, i) => !value || (i === A ? value === rows : !editor.producerOf(value)));

/** The products of the root's rows. */
function productsOf(editor: GraphEditor, root: Node): Node[] {
  const rows = root.inputs[A] as Value;
  const key = alikeOf(root);
  const found = [...editor.readersOf(rows)].filter((node) => isProduct(editor, node, rows) && alikeOf(node) === key);
  return key === undefined ? [] : found;
}

const matrixOf = ({ inputs }: Node): (Value | null)[] => Array.from({ length: BIAS }, (_, i) => inputs[i + 1] ?? null);

/** Merges products of the same rows, such as those for queries, keys and values: rows are rounded once, and threads synchronize once. */
export const productsOfSameRows: Rule = {
  name: 'products of the same rows',
  roots: [PRODUCT],
  propose(root, editor, build) {
    const products = productsOf(editor, root);
    if (products.length < 2 || !products.includes(root)) return undefined;
    const inOrder = editor.nodes.filter((node) => products.includes(node));
    if (inOrder[0] !== root) return undefined;
    const operands = [root.inputs[A] as Value, ...inOrder.flatMap(matrixOf)];
    const attributes = {
      ...root.attributes,
      N: intsAttribute(inOrder.map((node) => node.attributes.N?.value as number)),
    };
    const replaces = build.emit('sardonyx:MatMulsNBits', operands, attributes, products.length);
    return { replaces, covers: [], beside: inOrder.slice(1) };
  },
};
