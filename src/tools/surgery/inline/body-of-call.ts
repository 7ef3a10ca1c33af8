import {
  type AttributeProto,
  type FunctionProto,
  type GraphProto,
  NodeProto,
  type ValueInfoProto,
} from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { withChanges } from '../../../model/document/changed.js';
import { definedIn, withGraphs, withSubgraphs } from '../bodies.js';
import { type Rename, renamed, renamedNode, type Within } from '../rename.js';
import type { Container } from './container.js';

interface Called {
  readonly nodes: NodeProto[];
  readonly valueInfo: ValueInfoProto[];
}

/** The body of a function with the operands and attributes of a call. All other names are made unique. */
export function bodyOfCall(call: NodeProto, definition: FunctionProto, container: Container): Called {
  refuseTooMany(call, definition);
  const { freshValue, freshNode } = container;
  const table = new Map(definition.input.map((name, i) => [name, call.input[i] ?? '']));
  const copies = outputsInto(table, call, definition);
  const border = new Set(table.keys());
  for (const name of definedIn(definition)) if (!border.has(name)) table.set(name, freshValue(name));
  const rename: Rename = (name) => table.get(name) ?? name;
  const within: Within = (graph, around) => withOwnNames(graph, around, container);
  const resolve = resolver(call, definition, within);
  const nodes = definition.node.map((node) => {
    const copy = resolvedNode(renamedNode(node, rename, within), resolve);
    return copy.name ? withChanges(copy, { name: freshNode(copy.name) }) : copy;
  });
  return {
    nodes: [...nodes, ...copies.map(([from, to]) => identity(rename(from), to))],
    valueInfo: definition.valueInfo
      .filter(({ name }) => !border.has(name))
      .map((info) => withChanges(info, { name: rename(info.name) })),
  };
}

function refuseTooMany(call: NodeProto, { name, input, output }: FunctionProto): void {
  for (const [kind, given, taken] of [
    ['inputs', call.input, input],
    ['outputs', call.output, output],
  ] as const)
    if (given.length > taken.length)
      throw new SardonyxError(
        'INVALID_MODEL',
        `the call has ${given.length} ${kind}; the function has ${taken.length}`,
        {
          node: call.name,
          operator: name,
        },
      );
}

/** Maps outputs of the body to those of the call. An output that is also an input or another output must be copied. */
function outputsInto(table: Map<string, string>, call: NodeProto, { output }: FunctionProto): [string, string][] {
  const copies: [string, string][] = [];
  for (const [i, name] of output.entries()) {
    const target = call.output[i];
    if (!target) continue;
    if (table.has(name)) copies.push([name, target]);
    else table.set(name, target);
  }
  return copies;
}

const identity = (from: string, to: string): NodeProto =>
  new NodeProto({ opType: 'Identity', input: [from], output: [to] });

function withOwnNames(graph: GraphProto, around: Rename, { freshValue }: Container): Rename {
  const own = new Map([...definedIn(graph)].map((name) => [name, freshValue(name)]));
  return (name) => own.get(name) ?? around(name);
}

type Resolve = (attribute: AttributeProto) => AttributeProto[];

/**
 * Resolves an attribute that refers to one of the call. It is omitted if neither the call nor the function has a value.
 */
function resolver(call: NodeProto, definition: FunctionProto, within: Within): Resolve {
  const given = new Map(call.attribute.map((attribute) => [attribute.name, attribute]));
  const defaults = new Map(definition.attributeProto.map((attribute) => [attribute.name, attribute]));
  const keep: Rename = (name) => name;
  return (attribute) => {
    const { refAttrName, name } = attribute;
    if (!refAttrName) return [attribute];
    const own = given.get(refAttrName);
    if (own) return [withChanges(own, { name })];
    const fallback = defaults.get(refAttrName);
    if (!fallback) return [];
    return [
      withChanges(
        withGraphs(fallback, (graph) => renamed(graph, within(graph, keep), within)),
        { name },
      ),
    ];
  };
}

const resolvedNode = (node: NodeProto, resolve: Resolve): NodeProto => {
  const inside = withSubgraphs(node, (graph) =>
    withChanges(graph, { node: graph.node.map((inner) => resolvedNode(inner, resolve)) }),
  );
  return inside.attribute.some(({ refAttrName }) => refAttrName)
    ? withChanges(inside, { attribute: inside.attribute.flatMap(resolve) })
    : inside;
};
