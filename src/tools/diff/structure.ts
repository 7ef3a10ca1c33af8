import type { AttributeProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import { LeftBytes } from '../../model/document/left-bytes.js';
import { type Int64, toBigInt } from '../../model/int64.js';
import { type Body, capturesOf, graphsOf, inputsOf, isGraph, outputsOf } from '../surgery/bodies.js';

/** Maps equal texts to equal numbers. */
export type Numbers = (text: string) => number;

export function numbers(): Numbers {
  const known = new Map<string, number>();
  return (text) => {
    const number = known.get(text) ?? known.size + 1;
    known.set(text, number);
    return number;
  };
}

/**
 * Hashes of a body's nodes, independent of names. Nodes have equal `up` numbers if they are computed in the same way,
 * and equal `down` numbers if they are used in the same way.
 */
export interface Structure {
  readonly up: ReadonlyMap<NodeProto, number>;
  readonly down: ReadonlyMap<NodeProto, number>;
  /** The operator, attributes and constants of a node. */
  readonly own: ReadonlyMap<NodeProto, number>;
  /** The `up` number of a value of the body or an outer one. */
  readonly idOf: (name: string) => number;
}

/** Functions that structures are computed with. */
export interface Terms {
  readonly number: Numbers;
  /** The fingerprint of a tensor. */
  readonly print: (tensor: TensorProto) => string;
  /** The key of an input of the body. */
  readonly input?: ((name: string, i: number) => string) | undefined;
  readonly around?: ((name: string) => number) | undefined;
}

export function structureOf(body: Body, terms: Terms): Structure {
  const { number, print, input: inputKey = (_, i) => `${i}`, around = () => 0 } = terms;
  const values = new Map<string, number>();
  const constants = new Map<string, number>();
  const idOf = (name: string): number => (name ? (values.get(name) ?? around(name)) : 0);
  for (const [i, name] of inputsOf(body).entries()) values.set(name, number(`input ${inputKey(name, i)}`));
  for (const tensor of isGraph(body) ? body.initializer : [])
    constants.set(tensor.name, number(tensorKey(tensor, print)));
  for (const [name, id] of constants) values.set(name, id);
  const [up, own] = [new Map<NodeProto, number>(), new Map<NodeProto, number>()];
  for (const node of body.node) {
    const { domain, opType, overload, input, output } = node;
    const head = [domain, opType, overload, output.map(Boolean)];
    const said = saidIn(node, { ...terms, around: idOf });
    const alone = node.attribute.some(holdsGraph) ? saidIn(node, { ...terms, around: () => 0 }) : said;
    const id = number(JSON.stringify([...head, said, input.map(idOf)]));
    const held = input.map((name) => (name ? (constants.get(name) ?? 'value') : ''));
    own.set(node, number(JSON.stringify([...head, alone, held, 'own'])));
    up.set(node, id);
    for (const [i, name] of output.entries()) values.set(name, number(`${id} output ${i}`));
  }
  return { up, own, down: downOf(body, own, number), idOf };
}

const holdsGraph = (attribute: AttributeProto): boolean => graphsOf(attribute).length > 0;

/** The attributes in a normalized order. */
const saidIn = ({ attribute }: NodeProto, terms: Terms): string[] =>
  attribute.map((one) => attributeKey(one, terms)).sort();

/** Computes the `down` numbers, from the last node to the first. */
function downOf(body: Body, own: ReadonlyMap<NodeProto, number>, number: Numbers): Map<NodeProto, number> {
  const readers = new Map<string, [NodeProto, string][]>();
  const read = (name: string, node: NodeProto, place: string) => {
    const known = readers.get(name);
    if (known) known.push([node, place]);
    else readers.set(name, [[node, place]]);
  };
  for (const node of body.node) {
    for (const [i, name] of node.input.entries()) if (name) read(name, node, `${i}`);
    for (const graph of node.attribute.flatMap(graphsOf))
      for (const name of capturesOf(graph)) read(name, node, 'inside');
  }
  const outputs = outputsOf(body);
  const down = new Map<NodeProto, number>();
  for (const node of body.node.toReversed()) {
    const leads = node.output.map((name) => {
      const places = (readers.get(name) ?? []).map(([reader, place]) => `${place} ${down.get(reader) ?? 0}`);
      return [...places.sort(), outputs.indexOf(name)].join();
    });
    down.set(node, number(`${own.get(node)} to ${leads.join(';')}`));
  }
  return down;
}

/**
 * The maximum size of constants that are compared by value. Larger ones are compared by type, shape and fingerprint.
 */
const SMALL = 64;

/** Formats 64-bit integers without rounding. */
const texts = (list: readonly Int64[]): string[] => list.map((value) => `${toBigInt(value)}`);

function tensorKey(tensor: TensorProto, print: Terms['print']): string {
  const { dataType, dims, rawData, floatData, int32Data, int64Data, externalData } = tensor;
  const isSmall = !(rawData instanceof LeftBytes) && externalData.length === 0 && rawData.length <= SMALL;
  const typed = [floatData, int32Data, texts(int64Data)].map((list) => (list.length <= SMALL ? list.join() : ''));
  return `tensor ${dataType} ${texts(dims)} ${isSmall ? rawData.join() : ''} ${typed} ${print(tensor)}`;
}

function attributeKey(attribute: AttributeProto, { number, print, around }: Terms): string {
  const { name, type, refAttrName, f, i, s, t, floats, ints, strings } = attribute;
  const bodies = graphsOf(attribute).map((graph) => {
    const inner = structureOf(graph, { number, print, around });
    return [...inner.up.values(), '→', ...outputsOf(graph).map(inner.idOf)].join();
  });
  return [
    name,
    type,
    refAttrName,
    f,
    texts([i]),
    s,
    t && tensorKey(t, print),
    floats,
    texts(ints),
    strings.join(';'),
    ...bodies,
  ].join(' ');
}
