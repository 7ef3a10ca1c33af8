import type { Graph, Node, Value } from '../../../graph/graph.js';
import { allNodes } from '../../../graph/walk.js';
import { operatorOf } from '../../../schema/registry.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { GrowingTensor } from '../../../tensor/growing-tensor.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../../tensor/tensor-value.js';

/** Inputs of GroupQueryAttention. */
const [TOTAL_LENGTH, BIAS] = [6, 10];

/**
 * A graph in which caches may appear larger than they are: only GroupQueryAttention reads them, with lengths that
 * follow from a mask, and the mask's own length gives the size of the caches. Then no size changes from token to token,
 * and one plan serves until the caches have to grow.
 */
export interface Steady {
  /** Positions of the caches and of the mask among the inputs. */
  readonly pasts: readonly number[];
  readonly mask: number;
}

export function steadyOf(graph: Graph): Steady | null {
  const readers = readersOf(graph);
  const pasts = keptInputs(graph, readers).filter((i) =>
    readers.get(graph.inputs[i] as Value)?.every(([node]) => isAttention(node)),
  );
  const masks = graph.inputs.flatMap((value, i) => (isMask(graph, readers, value) ? [i] : []));
  const grouped = graph.nodes.filter(isAttention);
  const all = grouped.flatMap((node) => cachesOf(node).map((i) => node.inputs[i]));
  const isWhole = all.every((past) => past && pasts.some((i) => graph.inputs[i] === past));
  // A bias is as long as the caches.
  const isPlain = grouped.every(({ inputs }) => !inputs[BIAS]);
  return pasts.length > 0 && isWhole && isPlain && masks.length === 1 ? { pasts, mask: masks[0] as number } : null;
}

type Readers = ReadonlyMap<Value, readonly (readonly [Node, number])[]>;

function readersOf(graph: Graph): Readers {
  const readers = new Map<Value, (readonly [Node, number])[]>();
  for (const node of allNodes(graph))
    for (const [i, value] of node.inputs.entries())
      if (value) readers.set(value, [...(readers.get(value) ?? []), [node, i]]);
  return readers;
}

const isAttention = ({ op, domain }: Node) => op === 'GroupQueryAttention' && domain === 'com.microsoft';

const cachesOf = (node: Node): readonly number[] => operatorOf(node).caches ?? [];

/** Positions of inputs that are read only as caches, so that plans may see them as they are stored. */
export const keptInputs = (graph: Graph, readers: Readers = readersOf(graph)): number[] =>
  graph.inputs.flatMap((value, i) => {
    const found = readers.get(value) ?? [];
    return found.length > 0 && found.every(([node, at]) => cachesOf(node).includes(at)) ? [i] : [];
  });

/** Whether an input is only summed, and its shape determines the length of the caches and nothing else. */
function isMask(graph: Graph, readers: Readers, value: Value): boolean {
  const found = readers.get(value) ?? [];
  const isOfIntegers = value.type?.kind === 'tensor' && value.type.element === 'int64' && value.type.dims?.length === 2;
  const shapes = found.filter(([{ op }]) => op === 'Shape');
  const rest = found.filter(([{ op }]) => op !== 'Shape');
  return (
    isOfIntegers &&
    shapes.length > 0 &&
    rest.every(([{ op, domain }]) => op === 'ReduceSum' && domain === '') &&
    shapes.every(([node]) => leadsToLengths(graph, readers, node))
  );
}

const ABOUT_SIZES = /^(Shape|Gather|Cast|Squeeze|Unsqueeze|Reshape|Identity|Slice)$/;

function leadsToLengths(graph: Graph, readers: Readers, { op, domain, outputs }: Node): boolean {
  if (domain !== '' || !ABOUT_SIZES.test(op)) return false;
  return outputs.every(
    (value) =>
      !value ||
      (!graph.outputs.includes(value) &&
        (readers.get(value) ?? []).every(([node, i]) =>
          isAttention(node) ? i === TOTAL_LENGTH : leadsToLengths(graph, readers, node),
        )),
  );
}

export const storedTypeOf = (fed: TensorValue): ElementType => (fed instanceof GrowingTensor ? fed.stored : fed.type);

/** Rows of the caches after the run, if they may appear larger; undefined if a feed has another form. */
export function rowsAfter({ pasts, mask }: Steady, inputs: readonly (HostValue | undefined)[]): number | undefined {
  const seen = inputs[mask];
  if (!isTensorValue(seen)) return undefined;
  const [batch, rows] = seen.dims as [number, number];
  const first = inputs[pasts[0] as number] as TensorValue | undefined;
  const [before, stored] = [first?.dims[2], first && storedTypeOf(first)];
  if (before === undefined || before >= rows) return undefined;
  for (const i of pasts) {
    const past = inputs[i];
    if (
      !isTensorValue(past) ||
      storedTypeOf(past) !== stored ||
      past.dims.length !== 4 ||
      past.dims[0] !== batch ||
      past.dims[2] !== before
    )
      return undefined;
  }
  // A single new token goes to the end of its own sequence; for several, all sequences must be equally long.
  if (batch > 1 && rows === before + 1) return rows;
  return isAllOnes(seen.data as BigInt64Array) ? rows : undefined;
}

/** Compares 32-bit words, because reading elements would allocate a bigint each. */
function isAllOnes({ buffer, byteOffset, length }: BigInt64Array): boolean {
  const words = new Int32Array(buffer, byteOffset, 2 * length);
  for (let i = 0; i < words.length; i++) if (words[i] !== 1 - (i & 1)) return false;
  return true;
}
