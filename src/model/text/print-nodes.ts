import { AttributeProto, GraphProto, NodeProto, TensorProto, ValueInfoProto } from '../../../build/onnx.js';
import { textOfBytes } from '../document/odd-strings.js';
import { toBigInt } from '../int64.js';
import { attributeTypeName, isIdentifier, isTypeName, quotable, quoted } from './names.js';
import { notesOf, unsaid } from './notes.js';
import { floatText } from './numbers.js';
import { constantIn, parseGraph, valueInfo } from './parse-graphs.js';
import { parseNode } from './parse-nodes.js';
import { present, printTensor } from './print-tensors.js';
import { printType } from './print-types.js';
import type { Scanner } from './scanner.js';
import { INDENT, indented, type Style } from './style.js';

type Attribute = AttributeProto.$Properties;
type Graph = GraphProto.$Properties;
type Node = NodeProto.$Properties;
type Tensor = TensorProto.$Properties;
type ValueInfo = ValueInfoProto.$Properties;

const TYPES = AttributeProto.AttributeType;

/** Text on a line, followed by its annotations. */
const noted = (text: string, rest: readonly string[]): string => (rest.length > 0 ? `${text} ${notesOf(rest)}` : text);

export function printValueInfo(value: ValueInfo, style: Style): string {
  const name = value.name ?? '';
  const type = value.type || !isTypeName(name) ? quotable(name) : quoted(name);
  const text = `${value.type ? printType(value.type, style) : ''} ${type}`;
  if (!style.lossless) return text;
  return noted(text, unsaid(ValueInfoProto, valueInfo, text, value));
}

export function printConstant(tensor: Tensor, style: Style): string {
  const text = printTensor(tensor, style, true);
  if (!style.lossless) return text;
  return noted(text, unsaid(TensorProto, constantIn, text, present(tensor)));
}

/** Prints a node on a line, or several for subgraphs. */
export function printNode(node: Node, style: Style): string {
  const text = nodeText(node, style);
  if (!style.lossless) return text;
  const parse = (scanner: Scanner) => parseNode(scanner, parseGraph);
  return text + notesOf(unsaid(NodeProto, parse, text, allPresent(node)), ' '.repeat(style.indent));
}

/** The node with the raw data of its attributes in memory. */
function allPresent(node: Node): Node {
  const attribute = node.attribute?.map((attribute) =>
    attribute.t ? { ...attribute, t: present(attribute.t) } : attribute,
  );
  return { ...node, ...(attribute && { attribute: attribute as AttributeProto[] }) };
}

function nodeText(node: Node, style: Style): string {
  const named = Object.hasOwn(node, 'name') ? `[${quotable(node.name ?? '')}] ` : '';
  const outputs = (node.output ?? []).map(quotable).join(', ');
  const inputs = ` (${(node.input ?? []).map(quotable).join(', ')})`;
  const attributes = node.attribute ?? [];
  const printed = attributes.length
    ? ` <${attributes.map((attribute) => printAttribute(attribute, style)).join(', ')}>`
    : '';
  const isLast = attributes.some(({ g, graphs }) => g || graphs?.length);
  const rest = isLast ? inputs + printed : printed + inputs;
  return `${' '.repeat(style.indent)}${named}${outputs} = ${operatorText(node, style)}${rest}\n`;
}

function operatorText({ domain, opType, overload }: Node, style: Style): string {
  const name = (text: string) => plainName(text, style);
  const parts = (domain ?? '').split('.').map(name).join('.');
  return `${domain ? `${parts}.` : ''}${name(opType ?? '')}${overload ? `:${name(overload)}` : ''}`;
}

/** Replaces a name that is not an identifier by `_` in lossless text; an annotation restores it. */
const plainName = (name: string, { lossless }: Style): string => (lossless && !isIdentifier(name) ? '_' : name);

export function printAttribute(attribute: Attribute, style: Style): string {
  const { name, type, refAttrName } = attribute;
  const value = Object.hasOwn(attribute, 'refAttrName')
    ? `@${quotable(refAttrName ?? '')}`
    : (VALUES[type ?? 0] ?? nothing)(attribute, style);
  const isPlain = value !== '' && type;
  if (style.lossless && !isPlain) return `${plainName(name ?? '', style)}: int = 0`;
  return `${plainName(name ?? '', style)}: ${attributeTypeName(type ?? 0)} = ${value}`;
}

const nothing = (): string => '';

const listed = <T>(values: readonly T[] | null | undefined, print: (value: T) => string): string =>
  `[${(values ?? []).map(print).join(', ')}]`;

/** Prints nothing for an attribute whose tensor or graph is missing. */
const given = <T>(value: T | null | undefined, print: (value: T) => string): string => (value ? print(value) : '');

const VALUES: Readonly<Record<number, (attribute: Attribute, style: Style) => string>> = {
  [TYPES.FLOAT]: ({ f }) => floatText(f ?? 0),
  [TYPES.INT]: ({ i }) => `${toBigInt(i ?? 0)}`,
  [TYPES.STRING]: ({ s }) => quoted(textOfBytes(s ?? new Uint8Array())),
  [TYPES.TENSOR]: ({ t }, style) => given(t, (tensor) => printTensor(tensor, style)),
  [TYPES.GRAPH]: ({ g }, style) => given(g, (graph) => printGraph(graph, indented(style))),
  [TYPES.TYPE_PROTO]: ({ tp }, style) => given(tp, (type) => printType(type, style)),
  [TYPES.FLOATS]: ({ floats }) => listed(floats, floatText),
  [TYPES.INTS]: ({ ints }) => listed(ints, (value) => `${toBigInt(value)}`),
  [TYPES.STRINGS]: ({ strings }) => listed(strings, (value) => quoted(textOfBytes(value))),
  [TYPES.TENSORS]: ({ tensors }, style) => listed(tensors, (tensor) => printTensor(tensor, style)),
  [TYPES.GRAPHS]: ({ graphs }, style) => listed(graphs, (graph) => printGraph(graph, indented(style))),
  [TYPES.TYPE_PROTOS]: ({ typeProtos }, style) => listed(typeProtos, (type) => printType(type, style)),
};

export function printGraph(graph: Graph, style: Style): string {
  const { indent, lossless } = style;
  const values = (list: readonly ValueInfo[] | null | undefined) =>
    (list ?? []).map((value) => printValueInfo(value, style));
  const constants = (graph.initializer ?? []).map((tensor) => printConstant(tensor, style));
  const types = values(graph.valueInfo);
  const head = `${quotable(graph.name ?? '')} (${values(graph.input).join(', ')}) => (${values(graph.output).join(', ')}) `;
  const withTypes = (declared: readonly string[]) =>
    head + (declared.length ? `\n${' '.repeat(indent)}<${declared.join(', ')}>\n` : '');
  const bare = { ...graph, initializer: [], node: [] };
  const rest = lossless ? unsaid(GraphProto, parseGraph, `${withTypes(types)}{}`, bare) : [];
  return withTypes([...constants, ...types]) + printNodes(graph.node ?? [], rest, style);
}

/** Prints nodes in braces, with the annotations of their owner. */
export function printNodes(nodes: readonly Node[], rest: readonly string[], style: Style): string {
  const outer = style.indent > INDENT ? ' '.repeat(Math.max(INDENT, style.indent - INDENT)) : '';
  const lines = nodes.map((node) => printNode(node, style));
  return `{\n${notesOf(rest, ' '.repeat(style.indent))}${lines.join('')}${outer}}`;
}
