import type { AttributeProto, NodeProto } from '../../../../build/onnx.js';
import type { EditedNode, EditedValue } from '../edit/graph.js';

/** The match of a pattern at one location: its values, nodes and attributes. */
export interface Bindings {
  readonly values: ReadonlyMap<string, EditedValue | null>;
  readonly nodes: ReadonlyMap<NodeProto, EditedNode>;
  /** Attributes of the pattern; null if a node omits the attribute. */
  readonly attributes: ReadonlyMap<string, AttributeProto | null>;
}

export const NOTHING: Bindings = { values: new Map(), nodes: new Map(), attributes: new Map() };

const extended = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): Map<K, V> => new Map(map).set(key, value);

/** Binds a name to a value; undefined if it is bound to another. */
export function bindValue(bindings: Bindings, name: string, value: EditedValue | null): Bindings | undefined {
  if (bindings.values.has(name)) return bindings.values.get(name) === value ? bindings : undefined;
  return { ...bindings, values: extended(bindings.values, name, value) };
}

export const bindNode = (bindings: Bindings, node: NodeProto, found: EditedNode): Bindings => ({
  ...bindings,
  nodes: extended(bindings.nodes, node, found),
});

export const bindAttribute = (bindings: Bindings, name: string, found: AttributeProto | null): Bindings => ({
  ...bindings,
  attributes: extended(bindings.attributes, name, found),
});
