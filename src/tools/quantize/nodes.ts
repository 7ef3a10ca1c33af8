import { AttributeProto, type ModelProto, NodeProto, OperatorSetIdProto } from '../../../build/onnx.js';
import { withFields } from '../../model/document/changed.js';
import { toNumber } from '../../model/int64.js';

export const MICROSOFT = 'com.microsoft';

export const isOnnx = ({ domain }: { readonly domain: string }): boolean => domain === '' || domain === 'ai.onnx';

/** Replaces a node by one of onnxruntime's operators, with some of its attributes. */
export const turnedInto = (
  node: NodeProto,
  opType: string,
  input: readonly string[],
  kept: readonly string[],
): NodeProto =>
  new NodeProto({
    opType,
    domain: MICROSOFT,
    name: node.name,
    input: [...input],
    output: node.output,
    attribute: node.attribute.filter(({ name }) => kept.includes(name)),
  });

/** Makes a node with integer attributes. */
export function nodeOf(
  opType: string,
  input: readonly string[],
  output: readonly string[],
  {
    domain = '',
    name = '',
    ...attributes
  }: Record<string, number | number[] | string> & { domain?: string; name?: string } = {},
): NodeProto {
  const attribute = Object.entries(attributes).map(([key, value]) => attributeOf(key, value as number | number[]));
  return new NodeProto({ opType, domain, name, input: [...input], output: [...output], attribute });
}

/** Adds integer attributes to a node. */
export const attributed = (node: NodeProto, more: Readonly<Record<string, number>>): NodeProto =>
  withFields(node, {
    attribute: [...node.attribute, ...Object.entries(more).map(([name, value]) => attributeOf(name, value))],
  });

const attributeOf = (name: string, value: number | readonly number[]): AttributeProto =>
  typeof value === 'number'
    ? new AttributeProto({ name, type: AttributeProto.AttributeType.INT, i: value })
    : new AttributeProto({ name, type: AttributeProto.AttributeType.INTS, ints: [...value] });

const attribute = ({ attribute }: NodeProto, name: string): AttributeProto | undefined =>
  attribute.find((a) => a.name === name);

export const intAt = (node: NodeProto, name: string, otherwise: number): number => {
  const found = attribute(node, name);
  return found ? toNumber(found.i) : otherwise;
};

export const floatAt = (node: NodeProto, name: string, otherwise: number): number =>
  attribute(node, name)?.f ?? otherwise;

export const intsAt = (node: NodeProto, name: string): readonly number[] | undefined =>
  attribute(node, name)?.ints.map(toNumber);

export const stringAt = (node: NodeProto, name: string, otherwise: string): string => {
  const found = attribute(node, name);
  return found ? new TextDecoder().decode(found.s) : otherwise;
};

/** The imported version of a domain; 0 if it is not imported. */
export const opsetOf = ({ opsetImport }: ModelProto, domain = ''): number => {
  const found = opsetImport.find((opset) => opset.domain === domain || (domain === '' && isOnnx(opset)));
  return found ? toNumber(found.version) : 0;
};

/** Adds an import unless the domain is already imported. */
export const importing = (proto: ModelProto, domain: string, version: number): ModelProto =>
  opsetOf(proto, domain) > 0
    ? proto
    : withFields(proto, { opsetImport: [...proto.opsetImport, new OperatorSetIdProto({ domain, version })] });

/** Makes a generator of unique names. */
export function freshNames(taken: Set<string>): (base: string) => string {
  return (base) => {
    let name = base;
    for (let i = 1; taken.has(name); i++) name = `${base}_${i}`;
    taken.add(name);
    return name;
  };
}
