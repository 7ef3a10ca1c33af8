import { AttributeProto, type GraphProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import { attributeTypeOf } from '../../model/attribute-types.js';
import { fromNumber, toBigInt, toNumber } from '../../model/int64.js';
import { ELEMENTS, type ElementType } from '../../tensor/element-types.js';
import { tensorOf, tensorOfBigints } from '../../tensor/numbers.js';
import { bytesOf } from '../../tensor/stored-tensor.js';

/** Thrown if a node cannot be converted. */
export class Blocked {
  constructor(readonly reason: string) {}
}

export function block(reason: string): never {
  throw new Blocked(reason);
}

const { AttributeType } = AttributeProto;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

export const int = (name: string, i: number) => new AttributeProto({ name, type: AttributeType.INT, i: fromNumber(i) });
export const ints = (name: string, values: readonly number[]) =>
  new AttributeProto({ name, type: AttributeType.INTS, ints: values.map(fromNumber) });
export const float = (name: string, f: number) => new AttributeProto({ name, type: AttributeType.FLOAT, f });
export const floats = (name: string, values: readonly number[]) =>
  new AttributeProto({ name, type: AttributeType.FLOATS, floats: [...values] });
export const string = (name: string, text: string) =>
  new AttributeProto({ name, type: AttributeType.STRING, s: encoder.encode(text) });
export const strings = (name: string, texts: readonly string[]) =>
  new AttributeProto({ name, type: AttributeType.STRINGS, strings: texts.map((text) => encoder.encode(text)) });
export const tensor = (name: string, t: TensorProto) => new AttributeProto({ name, type: AttributeType.TENSOR, t });
export const graph = (name: string, g: GraphProto) => new AttributeProto({ name, type: AttributeType.GRAPH, g });

export const attributeOf = (node: NodeProto, name: string): AttributeProto | undefined =>
  node.attribute.find((attribute) => attribute.name === name);

export const withoutAttributes = (node: NodeProto, ...names: readonly string[]): NodeProto =>
  node.attribute.some(({ name }) => names.includes(name))
    ? new NodeProto({ ...node, attribute: node.attribute.filter(({ name }) => !names.includes(name)) })
    : node;

/** Replaces attributes in place and appends new ones. */
export const withAttributes = (node: NodeProto, ...added: readonly AttributeProto[]): NodeProto => {
  const replaced = node.attribute.map((old) => added.find(({ name }) => name === old.name) ?? old);
  const others = added.filter(({ name }) => !attributeOf(node, name));
  return new NodeProto({ ...node, attribute: [...replaced, ...others] });
};

/** Sets the inputs, without omitted ones at the end. */
export const withInputs = (node: NodeProto, input: readonly string[]): NodeProto =>
  new NodeProto({ ...node, input: input.slice(0, input.findLastIndex(Boolean) + 1) });

/** The values of a numeric or string attribute as a list. */
export function valuesOf(attribute: AttributeProto): readonly (number | string)[] {
  if (attribute.refAttrName)
    block(`the attribute ${attribute.name} is an attribute of the function and has no fixed value`);
  switch (attributeTypeOf(attribute.type)) {
    case 'int':
      return [toNumber(attribute.i)];
    case 'ints':
      return attribute.ints.map(toNumber);
    case 'float':
      return [attribute.f];
    case 'floats':
      return attribute.floats;
    case 'string':
      return [decoder.decode(attribute.s)];
    case 'strings':
      return attribute.strings.map((bytes) => decoder.decode(bytes));
    default:
      return block(`the attribute ${attribute.name} is neither a number nor a string`);
  }
}

export const numbersAt = (node: NodeProto, name: string): readonly number[] | undefined => {
  const attribute = attributeOf(node, name);
  return attribute && valuesOf(attribute).map(Number);
};

export const numberAt = (node: NodeProto, name: string): number | undefined => numbersAt(node, name)?.[0];

export const textAt = (node: NodeProto, name: string): string | undefined => {
  const attribute = attributeOf(node, name);
  return attribute && String(valuesOf(attribute)[0]);
};

/** A tensor of any numeric type. 64-bit integers saturate. */
export function tensorProto(element: ElementType, dims: readonly number[], values: readonly number[]): TensorProto {
  const exact = () =>
    tensorOfBigints(
      element,
      dims,
      values.map((value) => toBigInt(fromNumber(value))),
    );
  const rawData = bytesOf(element === 'int64' ? exact() : tensorOf(element, dims, values));
  return new TensorProto({ dataType: ELEMENTS[element].onnx, dims: dims.map(fromNumber), rawData });
}

export const constantNode = (output: string, t: TensorProto): NodeProto =>
  new NodeProto({ opType: 'Constant', output: [output], attribute: [tensor('value', t)] });
