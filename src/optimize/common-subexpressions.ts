import { subgraphsOf } from '../graph/captures.js';
import type { Attribute, Node, Value } from '../graph/graph.js';
import { operatorOf } from '../schema/registry.js';
import { isFloat } from '../tensor/element-types.js';
import { elementCount } from '../tensor/tensor-value.js';
import type { GraphEditor } from './editor.js';

/** Merges nodes that compute the same from the same inputs. */
export function mergeCommonSubexpressions(editor: GraphEditor): void {
  const ids = new Map<Value | string | null, number>([[null, -1]]);
  const idOf = (value: Value | null) => {
    const key = value && (contentsOf(value) ?? value);
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    return id;
  };
  const seen = new Map<string, Alike>();
  for (const node of [...editor.nodes]) {
    if (!operatorOf(node).deterministic || subgraphsOf(node).length > 0) continue;
    const key = `${node.domain}:${node.op}(${node.inputs.map(idOf)})${node.outputs.map((v) => (v ? 1 : 0))}`;
    const alike = seen.get(key);
    const twin = alike && twinIn(alike, node);
    if (!alike) seen.set(key, { first: node });
    else if (twin && node.outputs.every((value) => !value || editor.canRedirect(value))) merge(editor, node, twin);
  }
}

/** Nodes of one operator with the same inputs. Most are alone, so attributes are serialized only if there is a second one. */
interface Alike {
  readonly first: Node;
  byAttributes?: Map<string, Node>;
}

/** The first node with the same attributes, or undefined if that is the node itself. */
function twinIn(alike: Alike, node: Node): Node | undefined {
  alike.byAttributes ??= new Map([[keyOf(alike.first) ?? '', alike.first]]);
  const key = keyOf(node);
  if (key === undefined) return undefined;
  const twin = alike.byAttributes.get(key);
  if (!twin) alike.byAttributes.set(key, node);
  return twin;
}

/** Integer constants with up to this many elements, such as axes, sizes and indices, are compared by their contents. */
const MAX_COMPARED = 16;

function contentsOf({ constant, isDefault }: Value): string | undefined {
  if (!constant || isDefault || isFloat(constant.type) || elementCount(constant.dims) > MAX_COMPARED) return undefined;
  return JSON.stringify([constant.type, constant.dims, Array.from(constant.data as ArrayLike<unknown>, String)]);
}

function merge(editor: GraphEditor, node: Node, twin: Node): void {
  node.outputs.forEach((value, i) => {
    if (value) editor.redirect(value, twin.outputs[i] as Value);
  });
  editor.remove(node, twin);
}

/** The attributes as text, or undefined if they contain tensors, graphs or long lists, such as those of tree ensembles. */
export function keyOf({ attributes, opset }: Node): string | undefined {
  const entries = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.every(([, attribute]) => isShort(attribute))
    ? JSON.stringify([opset ?? 0, entries], exactly)
    : undefined;
}

const MAX_LISTED = 256;

const isShort = ({ type, value }: Attribute): boolean =>
  /^(int|float|string)$/.test(type) ||
  (/^(ints|floats|strings)$/.test(type) && (value as ArrayLike<unknown>).length <= MAX_LISTED);

/** Preserves infinities, NaN and negative zero, which JSON lacks. */
const exactly = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
    ? value === 0
      ? '-0'
      : String(value)
    : value;
