import { type AttributeInput, type GraphBuilder, modelBuilder } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import type { PlainArray } from '../reference/array.js';
import { tensorOfPlain } from './plain-tensors.js';

/** A model as data, which can be taken apart: values go by name. */
export interface Program {
  readonly opset: number;
  readonly inputs: readonly ProgramInput[];
  readonly constants: readonly ProgramConstant[];
  readonly functions: readonly ProgramFunction[];
  readonly nodes: readonly ProgramNode[];
  readonly outputs: readonly string[];
}

export interface ProgramInput {
  readonly name: string;
  readonly type: ElementType;
  /** Sizes, or symbols of them. */
  readonly dims: readonly (number | string)[];
}

export interface ProgramConstant {
  readonly name: string;
  readonly value: PlainArray;
  /** The constant is the default of an input. */
  readonly isInput?: boolean;
}

export interface ProgramNode {
  readonly op: string;
  readonly domain: string;
  readonly inputs: readonly (string | null)[];
  readonly outputs: readonly (string | null)[];
  readonly attributes: Readonly<Record<string, AttributeInput | undefined>>;
  readonly bodies?: Readonly<Record<string, Body>>;
}

/** A subgraph; its nodes may use the values of the graphs around it. */
export interface Body {
  readonly inputs: readonly ProgramInput[];
  readonly nodes: readonly ProgramNode[];
  readonly outputs: readonly string[];
}

/** A function of domain `local`. */
export interface ProgramFunction {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly nodes: readonly ProgramNode[];
  readonly outputs: readonly string[];
}

export const DOMAINS: Readonly<Record<string, number>> = {
  'ai.onnx.ml': 5,
  'ai.onnx.preview': 1,
  'ai.onnx.preview.training': 1,
};

type Scope = ReadonlyMap<string, Value>;

/** The program as an ONNX file. Values keep their names. */
export function bytesOf(program: Program): Uint8Array {
  const b = modelBuilder({ opset: program.opset, opsets: DOMAINS });
  for (const { name, inputs, nodes, outputs } of program.functions)
    b.function({ domain: 'local', name, inputs: [...inputs] }, (body, values) => {
      const scope = new Map(inputs.map((input, i) => [input, values[i] as Value]));
      const all = addNodes(body, nodes, scope);
      for (const output of outputs) body.output(output, all.get(output) as Value);
    });
  const scope = new Map<string, Value>();
  for (const { name, type, dims } of program.inputs) scope.set(name, b.input(name, type, dims));
  for (const { name, value, isInput } of program.constants) {
    const constant = tensorOfPlain(value);
    scope.set(
      name,
      isInput ? b.input(name, value.type, value.dims, { default: constant }) : b.constant(name, constant),
    );
  }
  const all = addNodes(b, program.nodes, scope);
  for (const output of program.outputs) b.output(output, all.get(output) as Value);
  return b.toBytes();
}

function addNodes(graph: GraphBuilder, nodes: readonly ProgramNode[], outer: Scope): Scope {
  const scope = new Map(outer);
  for (const { op, domain, inputs, outputs, attributes, bodies = {} } of nodes) {
    const graphs = Object.entries(bodies).map(([name, body]) => [name, subgraphOf(graph, name, body, scope)] as const);
    const operands = inputs.map((name) => (name === null ? null : (scope.get(name) as Value)));
    const made = graph.node(op, operands, { ...attributes, ...Object.fromEntries(graphs) }, { domain, outputs });
    made.forEach((value: Value | null) => {
      if (value) scope.set(value.name, value);
    });
  }
  return scope;
}

function subgraphOf(graph: GraphBuilder, name: string, body: Body, outer: Scope) {
  return graph.subgraph(name, (inner) => {
    const scope = new Map(outer);
    for (const { name: input, type, dims } of body.inputs) scope.set(input, inner.input(input, type, dims));
    const all = addNodes(inner, body.nodes, scope);
    for (const output of body.outputs) inner.output(output, all.get(output) as Value);
  });
}

/** Names that a node reads, those that its subgraphs capture included. */
export function readsOf({ inputs, bodies = {} }: ProgramNode): string[] {
  const captured = Object.values(bodies).flatMap(({ nodes, outputs }) => [...nodes.flatMap(readsOf), ...outputs]);
  return [...inputs.filter((name) => name !== null), ...captured];
}

/** The program without what its outputs do not need. */
export function withoutDead(program: Program): Program {
  const wanted = new Set<string | null>(program.outputs);
  const nodes = program.nodes.toReversed().filter((node) => {
    if (!node.outputs.some((output) => output !== null && wanted.has(output))) return false;
    for (const name of readsOf(node)) wanted.add(name);
    return true;
  });
  const called = new Set(nodes.map(({ op }) => op));
  return {
    ...program,
    nodes: nodes.toReversed(),
    inputs: program.inputs.filter(({ name }) => wanted.has(name)),
    constants: program.constants.filter(({ name }) => wanted.has(name)),
    functions: program.functions.filter(({ name }) => called.has(name)),
  };
}
