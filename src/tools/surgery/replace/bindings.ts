import type { AttributeProto, NodeProto } from '../../../../build/onnx.js';
import type { EditedNode, EditedValue } from '../edit/graph.js';

/** What the names of a pattern stand for in one place of a model. */
export interface Bindings {
  readonly values: ReadonlyMap<string, EditedValue | null>;
  readonly nodes: ReadonlyMap<NodeProto, EditedNode>;
  /** Attributes of the pattern's call; null where a node leaves one out. */
  readonly attributes: ReadonlyMap<string, AttributeProto | null>;
}

export const NOTHING: Bindings = { values: new Map(), nodes: new Map(), attributes: new Map() };

const extended = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): Map<K, V> => new Map(map).set(key, value);

/** The bindings with a name for a value; undefined where it stands for another already. */
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
