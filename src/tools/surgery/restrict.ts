import type { GraphProto, ValueInfoProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import { parametersOf } from './bodies.js';
import { filtered } from './filtered.js';
import type { FreshName } from './names.js';
import { type Needed, neededFor } from './needed.js';
import type { Rename } from './rename.js';

/** Extracts the part of a graph between values: the needed nodes in order, and their constants and annotations. */
export function between(
  graph: GraphProto,
  input: ValueInfoProto[],
  output: ValueInfoProto[],
  fresh: FreshName,
): GraphProto {
  const given = new Set(input.map(({ name }) => name));
  const needed = neededFor(
    graph,
    output.map(({ name }) => name),
    given,
  );
  const node = filtered(graph.node, (entry) => needed.nodes.has(entry)).map((entry) =>
    withChanges(entry, { output: changedList(entry.output, aside(given, fresh)) }),
  );
  return withoutStale(withChanges(graph, { input, output, node }), needed);
}

/** Renames outputs of nodes that are now inputs of the part. Nothing reads the new names. */
const aside =
  (given: ReadonlySet<string>, fresh: FreshName): Rename =>
  (name) =>
    given.has(name) ? fresh(`${name}_unread`) : name;

/** Removes constants and annotations of values that do not exist. */
export function withoutStale(graph: GraphProto, { names }: Pick<Needed, 'names'>): GraphProto {
  const border = new Set([...graph.input, ...graph.output].map(({ name }) => name));
  const made = new Set(graph.node.flatMap(({ output }) => output));
  const initializer = filtered(graph.initializer, ({ name }) => names.has(name));
  const sparseInitializer = filtered(graph.sparseInitializer, ({ values }) => names.has(values?.name ?? ''));
  for (const { name } of initializer) made.add(name);
  for (const { values } of sparseInitializer) made.add(values?.name ?? '');
  const isThere = (name: string) => made.has(name) || border.has(name);
  return withChanges(graph, {
    initializer,
    sparseInitializer,
    valueInfo: filtered(graph.valueInfo, ({ name }) => made.has(name) && !border.has(name)),
    quantizationAnnotation: filtered(
      graph.quantizationAnnotation,
      (entry) => isThere(entry.tensorName) && parametersOf(entry).every(isThere),
    ),
  });
}
