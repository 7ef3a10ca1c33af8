import { largest } from '../analysis/fold.js';
import type { Keeps } from '../analysis/infer-graph.js';
import type { NodeView } from '../analysis/node-view.js';
import { subgraphsOf } from '../graph/captures.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import { allNodes, constantsOf } from '../graph/walk.js';
import { byteLength, type ElementType } from '../tensor/element-types.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

/** Approximate size of a node in a file, with its names. Results up to this size, such as shapes and scalars, are always folded. */
const SMALL = 128;

/** Allowed growth of a file beyond that: a fraction of its constants, and at least `LEAST` bytes. */
const PART = 1 / 16;
const LEAST = 1024;

/** The growth of a graph's file, subgraphs included, during rewriting. */
export interface FileGrowth {
  /** Keeps nodes of constants that unpack weights, or whose results would make the file grow too much. */
  readonly keeps: Keeps;
  /** Whether there is room for this number of bytes. If so, they count from then on. */
  takes(bytes: number): boolean;
}

export function fileGrowth(graph: Graph): FileGrowth {
  const left = room(LEAST + PART * sizeOfConstants(graph));
  const growthBy = growthIn(graph);
  let folding: { readonly node: Node; readonly by: number } | undefined;
  return {
    takes: (bytes) => left.fits(bytes) && left.take(bytes),
    keeps(view) {
      if (folding && isFolded(folding.node)) left.take(folding.by);
      folding = undefined;
      const operands = [...new Set(view.node.inputs)].filter((value) => value !== null);
      const isKnown = operands.every((value) => view.facts.get(value)?.contents !== undefined);
      if (!isKnown || subgraphsOf(view.node).length > 0) return false;
      if (view.operator.unpacks && operands.length > 0) return true;
      const by = growthBy(view, operands);
      if (!left.fits(by)) return true;
      folding = { node: view.node, by };
      return false;
    },
  };
}

/** Small sizes always fit, and do not count. */
function room(bytes: number) {
  let left = bytes;
  return {
    fits: (wanted: number) => wanted <= Math.max(SMALL, left),
    take(taken: number) {
      if (taken < 0 || taken > SMALL) left -= taken;
      return true;
    },
  };
}

/** Bytes of a node's results minus those of the constants that only it still reads. */
function growthIn(graph: Graph): (view: NodeView, operands: readonly Value[]) => number {
  const readers = readersOf(graph);
  const goesWith = (node: Node, value: Value) =>
    readers.get(value)?.every((reader) => reader === node || (reader !== null && isFolded(reader))) ?? true;
  return (view, operands) => {
    const gone = operands
      .filter((value) => goesWith(view.node, value))
      .map((value) => bytesOf(contentsIn(view, value)));
    return sizeOfResults(view, operands) - sum(gone) - sizeOfAttributes(view.node);
  };
}

const sizeOfConstants = (graph: Graph): number =>
  sum([...[...constantsOf(graph)].map(bytesOf), ...[...allNodes(graph)].map(sizeOfAttributes)]);

const contentsIn = ({ facts }: NodeView, value: Value) => facts.get(value)?.contents as TensorValue;

/** The readers of each value, including those of other values of the same constant. Null means an input or output of the graph. */
function readersOf(graph: Graph): ReadonlyMap<Value, readonly (Node | null)[]> {
  const byConstant = new Map<TensorValue | Value, (Node | null)[]>();
  const readers = new Map<Value, (Node | null)[]>();
  const add = (value: Value | null, reader: Node | null) => {
    if (!value) return;
    const own = readers.get(value) ?? byConstant.get(value.constant ?? value) ?? [];
    own.push(reader);
    readers.set(value, own);
    byConstant.set(value.constant ?? value, own);
  };
  const borders = ({ inputs, outputs }: Graph) => {
    for (const value of [...inputs, ...outputs]) add(value, null);
  };
  borders(graph);
  for (const node of allNodes(graph)) {
    for (const value of node.inputs) add(value, node);
    subgraphsOf(node).forEach(borders);
  }
  return readers;
}

/** Merges values that are the same constant, such as the results of Identity. */
export function shareConstants(graph: Graph): void {
  const first = new Map<TensorValue, Value>();
  const shared = (value: Value | null): Value | null => {
    if (!value?.constant || value.isDefault) return value;
    const known = first.get(value.constant) ?? value;
    first.set(value.constant, known);
    return known;
  };
  for (const output of graph.outputs) shared(output);
  for (const node of allNodes(graph)) node.inputs = node.inputs.map(shared);
}

const isFolded = ({ outputs }: Node): boolean => outputs.every((value) => !value || value.constant !== undefined);

function sizeOfResults(view: NodeView, operands: readonly Value[]): number {
  const elements = sum(operands.map((value) => elementCount(contentsIn(view, value).dims)));
  return sum(
    view.outputTypes().map((type) => (type?.kind === 'tensor' ? sizeOf(type.element, largest(type, elements)) : 0)),
  );
}

/** Size of a short string with its length. The size of longer ones is unknown before they are computed. */
const TEXT = 16;

const sizeOf = (type: ElementType, elements: number): number =>
  type === 'string' ? TEXT * elements : byteLength(type, elements);

export const bytesOf = ({ type, dims }: TensorValue): number => sizeOf(type, elementCount(dims));

/** Bytes in a node's own attributes, such as those of Constant. */
function sizeOfAttributes({ attributes }: Node): number {
  return sum(
    Object.values(attributes).map((attribute) => {
      if (attribute.type === 'tensor') return bytesOf(attribute.value);
      if (attribute.type === 'sparse') return bytesOf(attribute.value.values) + bytesOf(attribute.value.indices);
      return Array.isArray(attribute.value) ? 8 * attribute.value.length : 0;
    }),
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
