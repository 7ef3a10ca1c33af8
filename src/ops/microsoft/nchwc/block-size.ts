// What onnxruntime's layout optimizer wrote: tensors [N, C, H, W] whose channels are padded to blocks and lie in memory as
// [N, C / block, H, W, block], 8 or 16 channels a block by the machine that wrote the file. Between these nodes nobody sees how
// they lie, so here they lie as any other; what is left of blocks are the padding and the order of weights in the file.

import { intAttribute } from '../../../graph/attributes.js';
import type { Graph, Node } from '../../../graph/graph.js';
import { allNodes } from '../../../graph/walk.js';
import { int } from '../../../schema/attributes.js';
import { numbersOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

export const NCHWC = 'com.microsoft.nchwc';

export type BlockSize = 8 | 16;

/** Set on the nodes of a graph once all of them have been looked at; files do not say it. */
export const blockAttribute = { block_size: int(16) };

const weightsOf = (node: Node): TensorValue | undefined => node.inputs[1]?.constant;

/** What the dims of one convolution say; undefined where either size would do. */
function byDims({ inputs }: Node, isBlocked: boolean, channels: number | undefined): BlockSize | undefined {
  const [outputs = 0, own = 0] = inputs[1]?.constant?.dims ?? [];
  if (outputs % 16 !== 0) return 8;
  if (channels !== undefined && outputs - channels >= 8) return 16;
  if (own % 8 !== 0 || own === 0) return own > 8 ? 16 : undefined;
  if (own === 8) return isBlocked ? 8 : 16;
  return own % 16 === 0 ? undefined : 8;
}

/** How far apart energies are: their mean over the geometric one, as a logarithm. */
function spread(energies: Float64Array): number {
  const mean = energies.reduce((a, b) => a + b, 0) / energies.length || 1;
  return -energies.reduce((sum, energy) => sum + Math.log(energy / mean + Number.EPSILON), 0) / energies.length;
}

/** Where element `i` of weights [M, C, …] in blocks belongs: its output and its input channel. */
function channelsAt(i: number, [, inputs, ...kernel]: readonly number[], block: number): [number, number] {
  const taps = kernel.reduce((a, b) => a * b, 1);
  const inner = (inputs as number) % block === 0 ? block : 1;
  const o = i % block;
  const c = Math.floor(i / block) % inner;
  const outer = Math.floor(i / (block * inner * taps));
  const groups = (inputs as number) / inner;
  return [Math.floor(outer / groups) * block + o, (outer % groups) * inner + c];
}

/** How much channels differ in the order that the block size means, times the weights: those of another order are mixtures. */
function contrast(weights: TensorValue, block: BlockSize): number {
  const [outputs, inputs] = weights.dims as [number, number];
  const [rows, columns] = [new Float64Array(outputs), new Float64Array(inputs)];
  const values = numbersOf(weights);
  for (let i = 0; i < values.length; i++) {
    const [row, column] = channelsAt(i, weights.dims, block);
    const energy = (values[i] as number) ** 2;
    rows[row] = (rows[row] as number) + energy;
    columns[column] = (columns[column] as number) + energy;
  }
  return values.length * (spread(rows) + spread(columns));
}

/**
 * Of weights in blocks of 8 their contrast in that order, over that in blocks of 16, must be this large. One layer [64, 64, 3, 3]
 * gives 2 to 3.8 if they are of 8 and 0.3 to 0.5 if of 16, where channels' deviations differ by a tenth; [64, 64, 1, 1] 1.4 to 1.9
 * and 0.5 to 0.7, where by two tenths. Some ten weights a channel say nothing: then it is 16, which servers and telephones have.
 */
const CLEAR = 1.25;

/** By the weights themselves, where every size is a multiple of 16. */
function byContrast(convolutions: readonly Node[]): BlockSize {
  const total = (block: BlockSize) =>
    convolutions.reduce((sum, node) => sum + contrast(weightsOf(node) as TensorValue, block), 0);
  return total(8) > CLEAR * total(16) ? 8 : 16;
}

/** The block size of the machine that wrote a graph. */
function blockSizeOf(nodes: readonly Node[]): BlockSize {
  const own = nodes.filter(({ domain }) => domain === NCHWC);
  const convolutions = own.filter((node) => node.op === 'Conv' && weightsOf(node));
  const blocked = new Set(own.filter(({ op }) => op !== 'ReorderOutput').flatMap(({ outputs }) => outputs));
  const readers = new Map(own.filter(({ op }) => op === 'ReorderOutput').map((node) => [node.inputs[0], node]));
  for (const node of convolutions) {
    const channels = readers.get(node.outputs[0] ?? null)?.attributes.channels?.value;
    const said = byDims(node, blocked.has(node.inputs[0] ?? null), channels as number | undefined);
    if (said) return said;
  }
  return byContrast(convolutions);
}

/** Tells the nodes of a graph how large their blocks are. */
export function findBlockSize(graph: Graph): void {
  const nodes = [...allNodes(graph)];
  const block_size = intAttribute(blockSizeOf(nodes));
  for (const node of nodes)
    if (node.domain === NCHWC && ['Conv', 'ReorderInput'].includes(node.op))
      node.attributes = { ...node.attributes, block_size };
}
