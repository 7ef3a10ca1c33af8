import { intOf } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import type { Rule } from '../../../optimize/rule.js';

/** Special entries of a shape: the size of the input, and the remaining size. */
const SAME = 0;
const REST = -1;

/**
 * Replaces a computed shape of Reshape by a constant, if all sizes are constant, copied from the input, or the only
 * remaining one.
 */
export const reshapes: Rule = {
  name: 'shape of sizes',
  roots: ['Reshape'],
  propose(node, editor, build) {
    const [x, shape] = node.inputs as [Value, Value];
    const sizes = editor.facts.get(shape)?.sizes;
    const type = editor.facts.get(x)?.type;
    const isOpen = !shape.constant && intOf(node.attributes, 'allowzero', 0) === 0;
    if (!isOpen || !sizes || type?.kind !== 'tensor' || !type.dims) return undefined;
    const entries = entriesOf(sizes, type.dims);
    if (!entries) return { refused: 'more than one dimension is dynamic' };
    const data = BigInt64Array.from(entries, BigInt);
    const constant = build.constant({ type: 'int64', dims: [data.length], data });
    return { replaces: build.repeat(node, [x, constant]), covers: [node] };
  },
};

/**
 * The entries of a constant shape. -1 cannot be combined with 0, as a copied size might be 0, which makes -1 ambiguous.
 */
function entriesOf(sizes: readonly Size[], dims: readonly Size[]): number[] | undefined {
  const entries = sizes.map((size, i) => (typeof size === 'number' ? size : size === dims[i] ? SAME : REST));
  const open = entries.filter((entry) => entry === REST).length;
  const isTold = open === 0 || (open === 1 && !entries.includes(SAME));
  return isTold && !sizes.includes(0) ? entries : undefined;
}
