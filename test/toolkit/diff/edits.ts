import { type GraphProto, NodeProto, type TensorProto, type ValueInfoProto } from '../../../build/onnx.js';
import { withFields } from '../../../src/model/document/changed.js';
import { toNumber } from '../../../src/model/int64.js';
import { graphsOf, readsOf } from '../../../src/tools/surgery/bodies.js';

/** A graph that was made of another, and what each of its nodes was there. */
export interface Edited {
  readonly graph: GraphProto;
  readonly origins: ReadonlyMap<NodeProto, NodeProto>;
}

/** Numbers from 0 to 1, the same ones for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Random = () => number;
type Edit = (edited: Edited, random: Random) => Edited;

export const unedited = (graph: GraphProto): Edited => ({
  graph,
  origins: new Map(graph.node.map((node) => [node, node])),
});

function withNodes(
  { graph, origins }: Edited,
  change: (node: NodeProto) => NodeProto,
  fields: Partial<GraphProto> = {},
): Edited {
  const now = new Map<NodeProto, NodeProto>();
  const node = graph.node.map((old) => {
    const changed = change(old);
    now.set(changed, origins.get(old) as NodeProto);
    return changed;
  });
  return { graph: withFields(graph, { ...fields, node }), origins: now };
}

const holdsGraph = ({ attribute }: NodeProto) => attribute.some((one) => graphsOf(one).length > 0);
const pick = <T>(list: readonly T[], random: Random): T | undefined => list[Math.floor(random() * list.length)];
const named = (prefix: string, random: Random) => `${prefix}${Math.floor(random() * 1e12)}`;

/** Values by other names; graphs in nodes read some by theirs, so models that have such are left. */
function renamed(edited: Edited, names: ReadonlyMap<string, string>): Edited {
  const { graph } = edited;
  if (graph.node.some(holdsGraph)) return edited;
  const nameOf = (name: string) => names.get(name) ?? name;
  const all = <T extends ValueInfoProto | TensorProto>(list: readonly T[]): T[] =>
    list.map((item) => withFields(item, { name: nameOf(item.name) } as Partial<T>));
  const change = (node: NodeProto) =>
    withFields(node, { input: node.input.map(nameOf), output: node.output.map(nameOf) });
  const { input, output, initializer } = graph;
  return withNodes(edited, change, {
    input: all(input),
    output: all(output),
    initializer: all(initializer),
    valueInfo: [],
  });
}

/** Whether a node stands beside one of its own operator, where nobody could tell which of them is gone or new. */
function isBeside(operator: string, node: NodeProto, { node: nodes }: GraphProto): boolean {
  const makers = nodes.filter(({ output }) => output.some((name) => name && node.input.includes(name)));
  const readers = nodes.filter(({ input }) =>
    input.some((name) => name && (node.output.includes(name) || node.input.includes(name))),
  );
  return [...makers, ...readers].some((other) => other !== node && other.opType === operator);
}

const INTEGER = 2;
const INTEGERS = 7;

export const EDITS = {
  'other names of nodes': (edited, random) =>
    withNodes(edited, (node) => withFields(node, { name: named('n', random) })),
  'other names of values': (edited, random) => {
    const outputs = new Set(edited.graph.output.map(({ name }) => name));
    const made = edited.graph.node.flatMap(({ output }) => output).filter((name) => name && !outputs.has(name));
    return renamed(edited, new Map(made.map((name) => [name, named('v', random)])));
  },
  'other names of weights': (edited, random) =>
    renamed(edited, new Map(edited.graph.initializer.map(({ name }) => [name, named('w', random)]))),
  'other names of inputs and outputs': (edited, random) =>
    renamed(
      edited,
      new Map([...edited.graph.input, ...edited.graph.output].map(({ name }) => [name, named('io', random)])),
    ),
  'another order': ({ graph, origins }, random) => {
    const makers = new Map(graph.node.flatMap((node) => node.output.map((name) => [name, node] as const)));
    const waiting = new Map(
      graph.node.map((node) => [node, new Set(readsOf(node).flatMap((name) => makers.get(name) ?? []))]),
    );
    const node: NodeProto[] = [];
    const ready = graph.node.filter((one) => waiting.get(one)?.size === 0);
    while (ready.length > 0) {
      const [next] = ready.splice(Math.floor(random() * ready.length), 1) as [NodeProto];
      node.push(next);
      for (const [other, makersLeft] of waiting)
        if (makersLeft.delete(next) && makersLeft.size === 0) ready.push(other);
    }
    return { graph: withFields(graph, { node }), origins };
  },
  'another attribute': (edited, random) => {
    const isInteger = (type: number) => type === INTEGER || type === INTEGERS;
    const chosen = pick(
      edited.graph.node.filter(({ attribute }) => isInteger(attribute[0]?.type ?? 0)),
      random,
    );
    const change = (node: NodeProto) => {
      const [first, ...others] = node.attribute;
      if (node !== chosen || !first) return node;
      const other = { i: toNumber(first.i) + 1, ints: first.ints.map((value) => toNumber(value) + 1) };
      const field = first.type === INTEGER ? { i: other.i } : { ints: other.ints };
      return withFields(node, { attribute: [withFields(first, field), ...others] });
    };
    return withNodes(edited, change);
  },
  'a node less': (edited, random) => {
    const { graph } = edited;
    const outputs = new Set(graph.output.map(({ name }) => name));
    const canGo = (node: NodeProto) =>
      node.input[0] &&
      node.output.length === 1 &&
      !outputs.has(node.output[0] as string) &&
      !isBeside(node.opType, node, graph);
    const chosen = graph.node.some(holdsGraph) ? undefined : pick(graph.node.filter(canGo), random);
    if (!chosen) return edited;
    const nameOf = (name: string) => (name === chosen.output[0] ? (chosen.input[0] as string) : name);
    const rewired = withNodes(edited, (node) => withFields(node, { input: node.input.map(nameOf) }));
    const node = rewired.graph.node.filter((one) => rewired.origins.get(one) !== edited.origins.get(chosen));
    return { graph: withFields(rewired.graph, { node }), origins: rewired.origins };
  },
  'a node more': (edited, random) => {
    const { graph } = edited;
    const opType = pick(['Erf', 'Sinh', 'Atan'], random) as string;
    const chosen = pick(
      graph.node.filter((node) => node.input[0]),
      random,
    );
    if (!chosen || isBeside(opType, chosen, graph)) return edited;
    const name = named('more', random);
    const more = new NodeProto({ opType, name, input: [chosen.input[0] as string], output: [name] });
    const rewired = withNodes(edited, (node) =>
      node === chosen ? withFields(node, { input: [name, ...node.input.slice(1)] }) : node,
    );
    const at = graph.node.indexOf(chosen);
    return {
      graph: withFields(rewired.graph, { node: rewired.graph.node.toSpliced(at, 0, more) }),
      origins: rewired.origins,
    };
  },
  'another operator': (edited, random) => {
    const chosen = pick(
      edited.graph.node.filter(({ input, output }) => input.length === 1 && output.length === 1),
      random,
    );
    return withNodes(edited, (node) =>
      node === chosen ? withFields(node, { opType: 'Softsign', attribute: [] }) : node,
    );
  },
} satisfies Readonly<Record<string, Edit>>;

export const edits: readonly (readonly [string, Edit])[] = Object.entries(EDITS);
