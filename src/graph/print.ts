import type { TensorValue } from '../tensor/tensor-value.js';
import type { Attribute, Graph, Model, Node, Value } from './graph.js';
import { formatType, tensorType } from './types.js';
import { operatorName, subgraphs } from './walk.js';

const SHOWN_ELEMENTS = 8;

/** A model as text: functions, then the graph. */
export function printModel(model: Model): string {
  const opsets = [...model.opsets].map(([domain, version]) => `${domain || 'ai.onnx'} ${version}`).join(', ');
  const functions = model.functions.map(({ graph, ...definition }) => {
    const name = [operatorName({ ...definition, op: definition.name }), definition.overload].filter(Boolean).join('.');
    return printGraph({ ...graph, name }, 'function');
  });
  return [`opsets ${opsets}`, ...functions, printGraph(model.graph)].join('\n\n');
}

/**
 * A graph as text, one line per node, e.g. `y: float32[n,3] = MatMul(x, w) {axis: 1}`. Constants stand before the nodes that
 * use them first; subgraphs are indented below their node.
 */
export function printGraph(graph: Graph, keyword = 'graph'): string {
  return lines(graph, keyword, '', new Set()).join('\n');
}

function lines(graph: Graph, keyword: string, indent: string, shown: Set<Value>): string[] {
  const inner = `${indent}  `;
  const inputs = graph.inputs.map((value) =>
    value.constant ? `${typed(value)} = ${contents(value.constant)}` : typed(value),
  );
  const constants = (values: readonly (Value | null)[]): string[] =>
    values.flatMap((value) => {
      if (!value?.constant || shown.has(value)) return [];
      shown.add(value);
      return [`${inner}${typed(value)} = ${contents(value.constant)}`];
    });
  for (const value of graph.inputs) shown.add(value);
  const body = graph.nodes.flatMap((node) => {
    const before = constants(node.inputs);
    for (const output of node.outputs) if (output) shown.add(output);
    const nested = subgraphs(node).flatMap(([name, sub]) => lines(sub, name, inner, shown));
    return [...before, `${inner}${printNode(node)}`, ...nested];
  });
  return [
    `${indent}${keyword} ${graph.name}(${inputs.join(', ')}) {`,
    ...body,
    ...constants(graph.outputs),
    `${inner}return ${graph.outputs.map((value) => value.name).join(', ')}`,
    `${indent}}`,
  ];
}

export function printNode(node: Node): string {
  const outputs = node.outputs.map((value) => (value ? typed(value) : '_')).join(', ');
  const inputs = node.inputs.map((value) => value?.name ?? '_').join(', ');
  const attributes = Object.entries(node.attributes).map(
    ([name, attribute]) => `${name}: ${printAttribute(attribute)}`,
  );
  const operator = node.overload ? `${operatorName(node)}.${node.overload}` : operatorName(node);
  return `${outputs} = ${operator}(${inputs})${attributes.length ? ` {${attributes.join(', ')}}` : ''}`;
}

function printAttribute(attribute: Attribute): string {
  const { type, value } = attribute;
  switch (type) {
    case 'int':
    case 'float':
      return String(value);
    case 'string':
      return JSON.stringify(value);
    case 'ints':
    case 'floats':
      return elided(value, value.length);
    case 'strings':
      return elided(
        value.map((item) => JSON.stringify(item)),
        value.length,
      );
    case 'tensor':
      return `${formatType(tensorType(value.type, value.dims))} ${contents(value)}`;
    case 'sparse':
      return `sparse ${formatType(tensorType(value.values.type, value.dims))}`;
    case 'graph':
      return value.name;
    case 'graphs':
      return `[${value.map(({ name }) => name).join(', ')}]`;
    case 'type':
      return formatType(value);
    case 'types':
      return `[${value.map(formatType).join(', ')}]`;
    case 'expression':
      return value.instructions.map(({ op, args }) => `${op}(${args.join(' ')})`).join(' ');
    case 'tensors':
    case 'sparses':
      return `[${value.length} tensors]`;
    case 'reference':
      return `@${value}`;
  }
}

const typed = ({ name, type }: Value): string => (type ? `${name}: ${formatType(type)}` : name);

function contents({ data, type }: TensorValue): string {
  const first = Array.from<unknown>(data.slice(0, SHOWN_ELEMENTS));
  return elided(type === 'string' ? first.map((item) => JSON.stringify(item)) : first, data.length);
}

const elided = (items: readonly unknown[], length: number): string =>
  `[${items.slice(0, SHOWN_ELEMENTS).join(', ')}${length > SHOWN_ELEMENTS ? ', …' : ''}]`;
