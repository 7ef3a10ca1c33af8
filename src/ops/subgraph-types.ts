import { capturesOf } from '../graph/captures.js';
import type { Facts } from '../graph/facts.js';
import type { Graph } from '../graph/graph.js';
import { type Dim, mapSizes, type ValueType } from '../graph/types.js';

type Types = readonly (ValueType | null)[];

/** What was found, by what was known; the sizes that nobody knows are numbered in both. */
type Found = Map<string, Types>;

const found = new WeakMap<Graph['nodes'], Found>();
const numbers = new WeakMap<object, number>();
let objects = 0;

/** Results kept per graph: those of the rounds in which a loop's types settle, and of some shapes of a run. */
const MAX_FOUND = 32;

/**
 * Types of a subgraph's outputs, `inferred` once for all that is known of its inputs and of what it captures. A loop asks until
 * the types that it carries settle, some four times, and asks as often of loops inside it: 12 levels took a minute.
 */
export function subgraphTypes(graph: Graph, inputs: Types, facts: Facts, inferred: () => Types): Types {
  const unknowns: string[] = [];
  const numbered = (size: Dim): Dim => {
    if (!isUnknown(size)) return size;
    if (!unknowns.includes(size)) unknowns.push(size);
    return `?${unknowns.indexOf(size)}`;
  };
  const known = capturesOf(graph).map((value) => facts.get(value));
  const key = JSON.stringify([
    inputs.map((type) => type && mapSizes(type, numbered)),
    known.map((fact) => fact && [mapSizes(fact.type, numbered), fact.sizes?.map(numbered), numberOf(fact.contents)]),
  ]);
  const all = found.get(graph.nodes) ?? new Map();
  found.set(graph.nodes, all);
  const given = unknowns.length;
  if (all.size >= MAX_FOUND && !all.has(key)) all.clear();
  if (!all.has(key))
    all.set(
      key,
      inferred().map((type) => type && mapSizes(type, numbered)),
    );
  const own = new Map<Dim, Dim>(unknowns.slice(0, given).map((symbol, i) => [`?${i}`, symbol]));
  const ownSize = (size: Dim): Dim => {
    if (!isUnknown(size)) return size;
    const symbol = own.get(size) ?? facts.unknown();
    own.set(size, symbol);
    return symbol;
  };
  return (all.get(key) as Types).map((type) => type && mapSizes(type, ownSize));
}

const isUnknown = (size: Dim): size is string => typeof size === 'string' && size.startsWith('?');

/** A number for each object. */
function numberOf(object: object | undefined): number | undefined {
  if (!object) return undefined;
  const number = numbers.get(object) ?? ++objects;
  numbers.set(object, number);
  return number;
}
