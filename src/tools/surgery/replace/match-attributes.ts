import { AttributeProto, type NodeProto } from '../../../../build/onnx.js';
import { withFields } from '../../../model/document/changed.js';
import { encodeExactly } from '../../../model/document/encode.js';
import { toNumber } from '../../../model/int64.js';
import { text } from '../../../model/read-protobuf.js';
import { schemaOf } from '../../schemas/schemas.js';
import type { EditedNode } from '../edit/graph.js';
import { type Bindings, bindAttribute } from './bindings.js';

/**
 * Binds the attributes of a node; undefined if they differ from the pattern's. Omitted attributes have their default
 * values.
 */
export function matchAttributes(pattern: NodeProto, node: EditedNode, bindings: Bindings): Bindings | undefined {
  const wanted = new Map(pattern.attribute.map((attribute) => [attribute.name, attribute]));
  let bound = bindings;
  for (const name of new Set([...wanted.keys(), ...node.protos.keys()])) {
    const [a, b] = [wanted.get(name), node.protos.get(name)];
    if (a?.refAttrName) {
      const known = bound.attributes.get(a.refAttrName);
      if (known !== undefined && !isSame(known ?? undefined, b, node, name)) return undefined;
      bound = bindAttribute(bound, a.refAttrName, b ?? null);
    } else if (!isSame(a, b, node, name)) return undefined;
  }
  return bound;
}

function isSame(a: AttributeProto | undefined, b: AttributeProto | undefined, node: EditedNode, name: string): boolean {
  if (a && b) return a.type === b.type && bytesOf(a) === bytesOf(b);
  const said = a ?? b;
  const { opsets } = node.graph.surroundings;
  const schema = schemaOf(node.domain, node.op, opsets.get(node.domain) ?? Number.POSITIVE_INFINITY);
  const fallback = schema?.attributes.get(name)?.fallback;
  return said === undefined || (fallback !== undefined && isDefault(said, fallback));
}

/** The contents of an attribute without its name and documentation. */
const bytesOf = (attribute: AttributeProto): string =>
  encodeExactly(AttributeProto, withFields(attribute, { name: '', docString: undefined })).join();

/** Whether a value equals a default in the format of the schemas. */
function isDefault({ type, i, f, s }: AttributeProto, fallback: string): boolean {
  const { FLOAT, INT, STRING } = AttributeProto.AttributeType;
  if (type === INT) return toNumber(i) === Number(fallback);
  if (type === FLOAT) return Math.fround(f) === Math.fround(Number(fallback));
  return type === STRING && text(s) === fallback;
}
