import { subgraphsOf } from '../graph/captures.js';
import type { Node, Value } from '../graph/graph.js';
import { operatorOf } from '../ops/registry.js';
import type { GraphEditor } from './editor.js';

/** Lets nodes that compute the same from the same be one. */
export function mergeCommonSubexpressions(editor: GraphEditor): void {
  const ids = new Map<Value | null, number>([[null, -1]]);
  const idOf = (value: Value | null) => {
    const id = ids.get(value) ?? ids.size;
    ids.set(value, id);
    return id;
  };
  const seen = new Map<string, Node>();
  for (const node of [...editor.nodes]) {
    if (!operatorOf(node).deterministic || subgraphsOf(node).length > 0) continue;
    const attributes = keyOf(node);
    if (attributes === undefined) continue;
    const key = `${node.domain}:${node.op}(${node.inputs.map(idOf)})${attributes}${node.outputs.map((v) => (v ? 1 : 0))}`;
    const twin = seen.get(key);
    if (twin && node.outputs.every((value) => !value || editor.canRedirect(value))) merge(editor, node, twin);
    else seen.set(key, node);
  }
}

function merge(editor: GraphEditor, node: Node, twin: Node): void {
  node.outputs.forEach((value, i) => {
    if (value) editor.redirect(value, twin.outputs[i] as Value);
  });
  editor.remove(node);
}

/** The attributes as text; undefined where they hold tensors or graphs. */
function keyOf({ attributes, opset }: Node): string | undefined {
  const entries = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  const plain = entries.every(([, { type }]) => /^(int|float|string|ints|floats|strings)$/.test(type));
  return plain ? JSON.stringify([opset ?? 0, entries], exactly) : undefined;
}

/** JSON knows neither infinities and NaN nor the sign of zero. */
const exactly = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
    ? value === 0
      ? '-0'
      : String(value)
    : value;
