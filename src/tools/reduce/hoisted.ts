import { type GraphProto, type NodeProto, TensorProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import { toNumber } from '../../model/int64.js';
import { writeTensorProto } from '../../model/write-attributes.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { inputsOf, outputsOf, subgraphsOf, withSubgraphs } from '../surgery/bodies.js';
import { byTable, renamed } from '../surgery/rename.js';

/** Pairs the values of a subgraph in its first run with those of the outer graph. */
type Ends = (
  node: NodeProto,
  inputs: readonly string[],
  outputs: readonly string[],
) => readonly (readonly [inside: string | undefined, outside: string | undefined])[];

/** Rules by operator. Values without a counterpart are cut. */
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

/** The initial iteration number and condition of a Loop. */
const FIRST: readonly TensorValue[] = [
  { type: 'int64', dims: [], data: BigInt64Array.of(0n) },
  { type: 'bool', dims: [], data: Uint8Array.of(1) },
];

/** Nodes with subgraphs, innermost first, each with subgraphs to hoist: all, or a single one. */
export const holdersIn = (graph: GraphProto): (readonly [NodeProto, readonly GraphProto[]])[] =>
  graph.node.flatMap((node) => {
    const inner = subgraphsOf(node);
    const choices = inner.length > 1 ? [inner, ...inner.map((one) => [one])] : inner.map((one) => [one]);
    return [...inner.flatMap(holdersIn), ...choices.map((chosen) => [node, chosen] as const)];
  });

/** Replaces a node by the nodes of some of its subgraphs, with the values of their first run. */
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

/** Maps the names of a subgraph to outer names. Each outer name is used once. */
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
