import { intOf } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import type { Rule } from '../../../optimize/rule.js';

/** Entries of a shape: as in the input, and what is left. */
const SAME = 0;
const REST = -1;

/** A shape computed of sizes of what it shapes says which of them stay. */
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

/** What is left can be told beside numbers alone: beside sizes that stay, and may be 0, it could be any. */
function entriesOf(sizes: readonly Size[], dims: readonly Size[]): number[] | undefined {
  const entries = sizes.map((size, i) => (typeof size === 'number' ? size : size === dims[i] ? SAME : REST));
  const open = entries.filter((entry) => entry === REST).length;
  const isTold = open === 0 || (open === 1 && !entries.includes(SAME));
  return isTold && !sizes.includes(0) ? entries : undefined;
}
