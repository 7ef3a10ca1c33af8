import { intsAttribute } from '../../graph/attributes.js';
import type { Node, Value } from '../../graph/graph.js';
import { A, BIAS } from '../../primitives/n-bit-matmul.js';
import { keyOf } from '../common-subexpressions.js';
import type { GraphEditor } from '../editor.js';
import type { Rule } from '../rule.js';

const PRODUCT = 'sardonyx:MatMulNBits';

/** All that products by matrices of one depth and blocks have in common. */
const alikeOf = ({ attributes: { N, ...others }, ...node }: Node): string | undefined =>
  keyOf({ ...node, attributes: others });

/** Whether a node reads nothing but its rows that another would have to make first. */
const isProduct = (editor: GraphEditor, { domain, op, inputs }: Node, rows: Value): boolean =>
  `${domain}:${op}` === PRODUCT &&
  inputs.every((value, i) => !value || (i === A ? value === rows : !editor.producerOf(value)));

/** The products of these rows, in the order of the graph. */
function productsOf(editor: GraphEditor, root: Node): Node[] {
  const rows = root.inputs[A] as Value;
  const key = alikeOf(root);
  const found = [...editor.readersOf(rows)].filter((node) => isProduct(editor, node, rows) && alikeOf(node) === key);
  return key === undefined ? [] : found;
}

const matrixOf = ({ inputs }: Node): (Value | null)[] => Array.from({ length: BIAS }, (_, i) => inputs[i + 1] ?? null);

/** Products of the same rows, as those that make queries, keys and values, round these once, and wait once for each other. */
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
