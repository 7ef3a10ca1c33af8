import { account } from '../account.js';
import { operandsOf } from '../graph/captures.js';
import { Facts } from '../graph/facts.js';
import type { Graph, Node } from '../graph/graph.js';
import type { ValueType } from '../graph/types.js';
import { evaluateOnHost } from '../ops/evaluate.js';
import { knownSizes } from '../ops/known-sizes.js';
import { NodeView } from '../ops/node-view.js';
import { elementCount, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';

/**
 * What is known of every value of a graph before any shape is fed, sizes as symbols. On the way, nodes that depend on
 * constants alone become constants.
 */
export function inferGraph(graph: Graph, looseSymbols = false): Facts {
  const facts = new Facts();
  for (const input of graph.inputs)
    if (input.type) facts.set(input, { type: looseSymbols ? apart(input.type, facts) : input.type });
  const kept: Node[] = [];
  for (const node of graph.nodes) {
    account()?.look();
    const view = new NodeView(node, facts);
    if (operandsOf(node).some((value) => !facts.has(value))) {
      kept.push(node);
      continue;
    }
    view.check();
    if (!foldNode(view)) {
      view.infer();
      kept.push(node);
    }
  }
  graph.nodes = kept;
  return facts;
}

/** The type with a symbol of its own for every open size. */
const apart = (type: ValueType, facts: Facts): ValueType =>
  type.kind === 'tensor' && type.dims
    ? { ...type, dims: type.dims.map((d) => (typeof d === 'string' ? facts.unknown() : d)) }
    : type;

/** Expanding a constant beyond this many elements is left to the run, unless it is what a constant node says itself. */
const MAX_EXPANSION = 1 << 16;

/** Replaces a node by its results, where its inputs are constants or its shapes say them. */
export function foldNode(view: NodeView): boolean {
  const { node, operator, facts } = view;
  const sizes = knownSizes(view);
  if (sizes) {
    become(view, [sizes]);
    return true;
  }
  const inputs = node.inputs.map((value) => value && facts.get(value)?.contents);
  const foldable = operator.evaluate && operator.deterministic;
  if (!foldable || inputs.some((contents, i) => node.inputs[i] && !contents)) return false;
  const size = inputs.reduce((sum, contents) => sum + (contents ? elementCount(contents.dims) : 0), 0);
  const types = view.outputTypes();
  const isSource = node.inputs.length === 0 || node.op === 'ConstantOfShape';
  if (!isSource && types.some((type) => !type || countOf(type) > Math.max(MAX_EXPANSION, 4 * size))) return false;
  const results = evaluateOnHost(view);
  if (!node.outputs.every((value, i) => !value || isTensorValue(results[i]))) return false;
  become(view, results as (TensorValue | null)[]);
  return true;
}

/** Makes the outputs constants. */
function become({ node, facts }: NodeView, results: readonly (TensorValue | null)[]): void {
  node.outputs.forEach((value, i) => {
    const contents = results[i];
    if (!value || !contents) return;
    value.constant = contents;
    account()?.holdValue(contents);
    facts.set(value, { type: { kind: 'tensor', element: contents.type, dims: contents.dims }, contents });
  });
}

const countOf = (type: ValueType) =>
  type.kind === 'tensor' && type.dims?.every((d) => typeof d === 'number')
    ? elementCount(type.dims as number[])
    : Number.POSITIVE_INFINITY;
