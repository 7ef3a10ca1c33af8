import { capturesOf, operandsOf } from '../graph/captures.js';
import type { Facts } from '../graph/facts.js';
import type { Graph } from '../graph/graph.js';
import { formatSize, isUnnamed, type Size, substitute, symbol } from '../graph/sizes.js';
import { formatType, mapSizes, ofAnyShape, type ValueType } from '../graph/types.js';
import type { Inference } from '../schema/definition.js';
import { isTensorValue } from '../tensor/tensor-value.js';
import { factOf, fold } from './fold.js';
import { NodeView } from './node-view.js';

type Types = readonly (ValueType | null)[];

/** Inferred types by the facts that they depend on. Unnamed sizes are numbered in both. */
const found = new WeakMap<Graph['nodes'], Map<string, Types>>();
const numbers = new WeakMap<object, number>();
let objects = 0;

/** Results kept per graph: those of the rounds in which a loop's types settle, and of some input shapes. */
const MAX_FOUND = 32;

/** Constants up to this size are folded, because shapes may depend on them: axes, sizes, pads. */
const MAX_CONTENTS = 64;

/** Infers the types of a subgraph's outputs for the rules of node `c`, from those of its inputs and captured values; `null` if unknown. */
export function graphTypes(c: Inference<unknown>, graph: Graph, inputs: Types): Types {
  const view = c as NodeView;
  const required = graph.inputs.filter(({ constant }) => !constant).length;
  if (inputs.length < required || inputs.length > graph.inputs.length)
    c.fail('INVALID_GRAPH', `its subgraph "${graph.name}" takes ${required} inputs; it is given ${inputs.length}`);
  // An empty sequence does not reveal its type at run time.
  graph.inputs.forEach((value, i) => {
    const type = inputs[i];
    if (type && type.kind !== 'tensor') value.type ??= ofAnyShape(type);
  });
  view.meet?.(graph, inputs);
  const types = graph.inputs.map((value, i) => inputs[i] ?? value.type ?? null);
  return subgraphTypes(graph, types, view.facts, () =>
    view.inferGraph ? view.inferGraph(graph, types) : inferred(graph, types, view.facts.fork()),
  );
}

function inferred(graph: Graph, inputs: Types, facts: Facts): Types {
  graph.inputs.forEach((value, i) => {
    const type = inputs[i];
    if (type) facts.set(value, { type });
  });
  for (const node of graph.nodes)
    if (operandsOf(node).every((value) => facts.has(value))) note(new NodeView(node, facts));
  return graph.outputs.map((value) => value.type ?? facts.get(value)?.type ?? null);
}

/**
 * Records the types of a node's results, and small contents of constant nodes. Other nodes are not folded: they may fail, and may never
 * run.
 */
function note(view: NodeView): void {
  const results = view.inputCount === 0 ? fold(view, () => MAX_CONTENTS) : undefined;
  if (!results) view.infer();
  view.node.outputs.forEach((value, i) => {
    const contents = results?.[i];
    if (value && isTensorValue(contents)) view.facts.set(value, factOf(contents));
  });
}

/**
 * Types of a subgraph's outputs, `inferred` once per set of facts about inputs and captured values. A loop infers its body until the
 * carried types settle, about four times, and each time does the same for inner loops: 9 levels took 2.5 s.
 */
function subgraphTypes(graph: Graph, inputs: Types, facts: Facts, inferred: () => Types): Types {
  const given: string[] = [];
  const numbered = renaming((name) => symbol(`?${given.includes(name) ? given.indexOf(name) : given.push(name) - 1}`));
  const known = capturesOf(graph).map((value) => facts.get(value));
  const typeText = (type: ValueType | null | undefined) => type && formatType(mapSizes(type, numbered));
  const key = JSON.stringify([
    inputs.map(typeText),
    known.map((fact) => [typeText(fact?.type), fact?.sizes?.map(numbered).map(formatSize), numberOf(fact?.contents)]),
  ]);
  const own: Size[] = given.map(symbol);
  const results = resultsFor(graph, key, () => inferred().map((type) => type && mapSizes(type, numbered)));
  const named = renaming((name) => {
    const i = Number(name.slice(1));
    own[i] ??= facts.unknown();
    return own[i];
  });
  return results.map((type) => type && mapSizes(type, named));
}

function resultsFor(graph: Graph, key: string, inferred: () => Types): Types {
  const all = found.get(graph.nodes) ?? new Map<string, Types>();
  found.set(graph.nodes, all);
  const known = all.get(key);
  if (known) return known;
  const results = inferred();
  if (all.size >= MAX_FOUND) all.clear();
  all.set(key, results);
  return results;
}

/** Replaces unnamed sizes, `?0`, `?1` …, also within expressions like `2*?0`. */
const renaming =
  (of: (name: string) => Size) =>
  (size: Size): Size =>
    substitute(size, (name) => (isUnnamed(name) ? of(name) : undefined));

/** A unique number for each object. */
function numberOf(object: object | undefined): number | undefined {
  if (!object) return undefined;
  const number = numbers.get(object) ?? ++objects;
  numbers.set(object, number);
  return number;
}
