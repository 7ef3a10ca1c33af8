import { type GraphProto, type NodeProto, TensorProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import { toNumber } from '../../model/int64.js';
import { writeTensorProto } from '../../model/write-attributes.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { inputsOf, outputsOf, subgraphsOf, withSubgraphs } from '../surgery/bodies.js';
import { byTable, renamed } from '../surgery/rename.js';

/** What values of a subgraph are in the graph around it, when it runs for the first time. */
type Ends = (
  node: NodeProto,
  inputs: readonly string[],
  outputs: readonly string[],
) => readonly (readonly [inside: string | undefined, outside: string | undefined])[];

/** By operator; what it does not say is cut. */
const ENDS: Readonly<Record<string, Ends>> = {
  If: ({ output }, _, outputs) => outputs.map((name, i) => [name, output[i]]),
  Loop: ({ input, output }, inputs, outputs) => [
    ...inputs.slice(2).map((name, i) => [name, input[i + 2]] as const),
    ...outputs.slice(1, inputs.length - 1).map((name, i) => [name, output[i]] as const),
  ],
  Scan: ({ input, output, attribute }, inputs, outputs) => {
    const scanned = toNumber(attribute.find(({ name }) => name === 'num_scan_inputs')?.i ?? 0);
    const states = inputs.length - scanned;
    return [
      ...inputs.slice(0, states).map((name, i) => [name, input[i]] as const),
      ...outputs.slice(0, states).map((name, i) => [name, output[i]] as const),
    ];
  },
};

/** The values that a Loop begins with. */
const FIRST: readonly TensorValue[] = [
  { type: 'int64', dims: [], data: BigInt64Array.of(0n) },
  { type: 'bool', dims: [], data: Uint8Array.of(1) },
];

/** Nodes that hold graphs, wherever they are, with those of these that come out of them: all, or one of several. */
export const holdersIn = (graph: GraphProto): (readonly [NodeProto, readonly GraphProto[]])[] =>
  graph.node.flatMap((node) => {
    const inner = subgraphsOf(node);
    const choices = inner.length > 1 ? [inner, ...inner.map((one) => [one])] : inner.map((one) => [one]);
    return [...inner.flatMap(holdersIn), ...choices.map((chosen) => [node, chosen] as const)];
  });

/** The graph with the nodes of some that a node holds in the place of this, as in their first run. */
export function hoisted(graph: GraphProto, holder: NodeProto, inner: readonly GraphProto[]): GraphProto {
  if (!graph.node.includes(holder))
    return withChanges(graph, {
      node: changedList(graph.node, (node) => withSubgraphs(node, (around) => hoisted(around, holder, inner))),
    });
  const taken = new Set<string>();
  const bodies = inner.map((body) => renamed(body, byTable(endsOf(holder, body, taken))));
  const first = holder.opType === 'Loop' ? FIRST : [];
  const names = inner.flatMap(inputsOf);
  const constants = first.map((value, i) => new TensorProto(writeTensorProto(value, names[i])));
  return withChanges(graph, {
    node: graph.node.flatMap((node) => (node === holder ? bodies.flatMap((body) => body.node) : [node])),
    initializer: [...graph.initializer, ...constants, ...bodies.flatMap(({ initializer }) => initializer)],
    sparseInitializer: [...graph.sparseInitializer, ...bodies.flatMap((body) => body.sparseInitializer)],
    valueInfo: [
      ...graph.valueInfo,
      ...bodies.flatMap(({ valueInfo }) => valueInfo).filter(({ name }) => !taken.has(name)),
    ],
  });
}

/** What values are called outside; each name once. */
function endsOf(holder: NodeProto, inner: GraphProto, taken: Set<string>): Map<string, string> {
  const inputs = inputsOf(inner);
  const made = new Set(inner.node.flatMap(({ output }) => output));
  const table = new Map<string, string>();
  for (const [inside, outside] of ENDS[holder.opType]?.(holder, inputs, outputsOf(inner)) ?? []) {
    if (!inside || !outside || taken.has(outside)) continue;
    if (made.has(inside)) taken.add(outside);
    else if (!inputs.includes(inside)) continue;
    table.set(inside, outside);
  }
  return table;
}
