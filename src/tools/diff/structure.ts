import type { AttributeProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import { LeftBytes } from '../../model/document/left-bytes.js';
import { type Int64, toBigInt } from '../../model/int64.js';
import { type Body, graphsOf, inputsOf, isGraph, outputsOf } from '../surgery/bodies.js';

/** Numbers for texts: equal ones for equal texts. */
export type Numbers = (text: string) => number;

export function numbers(): Numbers {
  const known = new Map<string, number>();
  return (text) => {
    const number = known.get(text) ?? known.size + 1;
    known.set(text, number);
    return number;
  };
}

/** What values of a body follow from, whatever they are called: equal numbers for what follows likewise from the like. */
export interface Structure {
  readonly nodes: ReadonlyMap<NodeProto, number>;
  /** Of a name that the body or one around it has. */
  readonly idOf: (name: string) => number;
}

/** Bytes of constants that are part of what follows from them; larger ones are known by type and shape. */
const SMALL = 64;

export function structureOf(body: Body, number: Numbers, around: (name: string) => number = () => 0): Structure {
  const values = new Map<string, number>();
  const idOf = (name: string): number => (name ? (values.get(name) ?? around(name)) : 0);
  for (const [i, name] of inputsOf(body).entries()) values.set(name, number(`input ${isGraph(body) ? name : i}`));
  for (const tensor of isGraph(body) ? body.initializer : []) values.set(tensor.name, number(tensorKey(tensor)));
  const nodes = new Map<NodeProto, number>();
  for (const node of body.node) {
    const { domain, opType, overload, input, output, attribute } = node;
    const said = attribute.map((one) => attributeKey(one, number, idOf)).sort();
    const id = number(JSON.stringify([domain, opType, overload, input.map(idOf), said, output.map(Boolean)]));
    nodes.set(node, id);
    for (const [i, name] of output.entries()) values.set(name, number(`${id} output ${i}`));
  }
  return { nodes, idOf };
}

/** 64-bit integers in full. */
const texts = (list: readonly Int64[]): string[] => list.map((value) => `${toBigInt(value)}`);

function tensorKey({ dataType, dims, rawData, floatData, int32Data, int64Data, externalData }: TensorProto): string {
  const isSmall = !(rawData instanceof LeftBytes) && externalData.length === 0 && rawData.length <= SMALL;
  const typed = [floatData, int32Data, texts(int64Data)].map((list) => (list.length <= SMALL ? list.join() : ''));
  return `tensor ${dataType} ${texts(dims)} ${isSmall ? rawData.join() : ''} ${typed}`;
}

function attributeKey(attribute: AttributeProto, number: Numbers, idOf: (name: string) => number): string {
  const { name, type, refAttrName, f, i, s, t, floats, ints, strings } = attribute;
  const bodies = graphsOf(attribute).map((graph) => {
    const inner = structureOf(graph, number, idOf);
    return [...inner.nodes.values(), '→', ...outputsOf(graph).map(inner.idOf)].join();
  });
  return [
    name,
    type,
    refAttrName,
    f,
    texts([i]),
    s,
    t && tensorKey(t),
    floats,
    texts(ints),
    strings.join(';'),
    ...bodies,
  ].join(' ');
}
