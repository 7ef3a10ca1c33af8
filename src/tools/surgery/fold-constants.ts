import type { ValueType } from '../../graph/types.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import { findOperator } from '../../schema/registry.js';
import { byteLength } from '../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../tensor/tensor-value.js';
import { fromExternalData } from '../external-data.js';
import { typesOf } from '../infer/index.js';
import { saveModel } from '../save-model.js';
import { removeWithOperands } from './edit/dead.js';
import { edit } from './edit/edit.js';
import type { EditedGraph, EditedNode, EditedValue } from './edit/graph.js';
import { extractModel } from './extract-model.js';
import { calledBy, functionsByKey } from './functions.js';
import { refused } from './refuse.js';

/** Options of `foldConstants`. */
export interface FoldOptions {
  /** The largest size, in bytes, of a folded constant. Default: 1 MiB. */
  readonly limit?: number;
}

/**
 * Replaces nodes that only depend on constants with their results, which the runtime's kernels compute. Random nodes,
 * DequantizeLinear, outputs of the model, and results that are above the limit or of unknown size do not change.
 * @throws SardonyxError INVALID_ARGUMENT for models of IR version 3 or older
 */
export async function foldConstants(model: Model, { limit = 2 ** 20 }: FoldOptions = {}): Promise<Model> {
  if (toNumber(model.proto.irVersion) < 4)
    throw refused(
      'before IR version 4, all constants are inputs, which callers can replace; convert the model to a newer IR version first',
    );
  const types = await typesOf(model);
  return edit(model, async (graph) => {
    const results = border(
      graph,
      constantNodes(graph, model, (value) => fits(types.get(value.name), limit)),
    );
    if (results.length === 0) return;
    const names = results.map(({ name }) => name);
    const computed = await computedValues(await extractModel(model, [], names), names);
    for (const value of results) makeConstant(value, computed[value.name] as TensorValue);
  });
}

function fits(type: ValueType | undefined, limit: number): boolean {
  if (type?.kind !== 'tensor' || !type.dims?.every((size) => typeof size === 'number')) return false;
  return byteLength(type.element, elementCount(type.dims as number[])) <= limit;
}

/** The nodes that depend only on constants, and whose results are small. */
function constantNodes(graph: EditedGraph, model: Model, isSmall: (value: EditedValue) => boolean): Set<EditedNode> {
  const functions = functionsByKey(model.proto);
  const { opsets } = graph.surroundings;
  const nodes = new Set<EditedNode>();
  const isConstant = (value: EditedValue) =>
    value.graph !== graph ||
    (value.producer ? nodes.has(value.producer) : value.constant !== undefined && !value.isInput);
  // Whether a node is deterministic. For a node with subgraphs, the nodes inside decide.
  const isSure = ({ op, domain, source, subgraphs }: EditedNode) =>
    op !== 'DequantizeLinear' &&
    !functions.has(calledBy(source)) &&
    (subgraphs.size > 0 ||
      findOperator(domain, op, opsets.get(domain) ?? Number.POSITIVE_INFINITY)?.deterministic === true);
  for (const node of graph.nodes) {
    const all = [node, ...[...node.subgraphs.values()].flat().flatMap((inner) => inner.allNodes)];
    const made = node.outputs.filter((value) => value !== null);
    if (!all.every(isSure) || !node.operands.every((value) => !value || isConstant(value))) continue;
    if (made.every((value) => isSmall(value) && !value.isOutput)) nodes.add(node);
  }
  return nodes;
}

/** The outputs of nodes that other nodes read. */
const border = (graph: EditedGraph, nodes: ReadonlySet<EditedNode>): EditedValue[] =>
  graph.values.filter(
    ({ producer, readers }) => producer && nodes.has(producer) && readers.some((reader) => !nodes.has(reader)),
  );

async function computedValues(part: Model, names: readonly string[]): Promise<Record<string, TensorValue>> {
  const { InferenceSession } = await import('../../session/inference-session.js');
  const session = await InferenceSession.create(await saveModel(await fromExternalData(part)));
  try {
    return (await session.run({}, names as string[])) as Record<string, TensorValue>;
  } finally {
    await session.release();
  }
}

function makeConstant(value: EditedValue, tensor: TensorValue): void {
  const { producer, graph } = value;
  if (producer) producer.outputs = producer.outputs.map((made) => (made === value ? null : made));
  value.data = tensor;
  graph.constants.push(value);
  if (producer?.outputs.every((made) => !made || made.readers.length === 0)) removeWithOperands(producer);
}
