// onnxruntime's layout optimizer pads the channels of tensors [N, C, H, W] to blocks and stores them as [N, C / block, H, W, block]. A
// block is 8 or 16 channels, depending on the machine that wrote the file. The layout is invisible outside these nodes, so here tensors
// keep the usual layout. Only the padding and the order of weights in the file remain.

import { intAttribute } from '../../../graph/attributes.js';
import type { Graph, Node } from '../../../graph/graph.js';
import { allNodes } from '../../../graph/walk.js';
import { int } from '../../../schema/attributes.js';
import { numbersOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

export const NCHWC = 'com.microsoft.nchwc';

export type BlockSize = 8 | 16;

/** Set on the nodes of a graph after all of them have been inspected; files do not contain it. */
export const blockAttribute = { block_size: int(16) };

const weightsOf = (node: Node): TensorValue | undefined => node.inputs[1]?.constant;

/** Block size implied by the shape of one convolution; undefined if both are possible. */
function byDims({ inputs }: Node, isBlocked: boolean, channels: number | undefined): BlockSize | undefined {
  const [outputs = 0, own = 0] = inputs[1]?.constant?.dims ?? [];
  if (outputs % 16 !== 0) return 8;
  if (channels !== undefined && outputs - channels >= 8) return 16;
  if (own % 8 !== 0 || own === 0) return own > 8 ? 16 : undefined;
  if (own === 8) return isBlocked ? 8 : 16;
  return own % 16 === 0 ? undefined : 8;
}

/** Spread of energies: the logarithm of their mean over their geometric mean. */
function spread(energies: Float64Array): number {
  const mean = energies.reduce((a, b) => a + b, 0) / energies.length || 1;
  return -energies.reduce((sum, energy) => sum + Math.log(energy / mean + Number.EPSILON), 0) / energies.length;
}

/** Output and input channel of element `i` of weights [M, C, …] in blocks. */
function channelsAt(i: number, [, inputs, ...kernel]: readonly number[], block: number): [number, number] {
  const taps = kernel.reduce((a, b) => a * b, 1);
  const inner = (inputs as number) % block === 0 ? block : 1;
  const o = i % block;
  const c = Math.floor(i / block) % inner;
  const outer = Math.floor(i / (block * inner * taps));
  const groups = (inputs as number) / inner;
  return [Math.floor(outer / groups) * block + o, (outer % groups) * inner + c];
}

/**
 * Contrast between channels if the weights have this block size, times the number of weights. The wrong order mixes channels, which lowers
 * the contrast.
 */
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
 * Minimum ratio, for blocks of 8, of the contrast read as blocks of 8 to that read as 16. One layer [64, 64, 3, 3] gives 2 to 3.8 for
 * blocks of 8 and 0.3 to 0.5 for 16, if channels' deviations differ by a tenth; [64, 64, 1, 1] gives 1.4 to 1.9 and 0.5 to 0.7, if they
 * differ by two tenths. About ten weights per channel are inconclusive: the block size is then 16, as on servers and phones.
 */
const CLEAR = 1.25;

/** Decides by the weights, if every size is a multiple of 16. */
function byContrast(convolutions: readonly Node[]): BlockSize {
  const total = (block: BlockSize) =>
    convolutions.reduce((sum, node) => sum + contrast(weightsOf(node) as TensorValue, block), 0);
  return total(8) > CLEAR * total(16) ? 8 : 16;
}

/** Infers the block size of the machine that wrote a graph. */
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

/** Sets the block size on the nodes of a graph. */
export function findBlockSize(graph: Graph): void {
  const nodes = [...allNodes(graph)];
  const block_size = intAttribute(blockSizeOf(nodes));
  for (const node of nodes)
    if (node.domain === NCHWC && ['Conv', 'ReorderInput'].includes(node.op))
      node.attributes = { ...node.attributes, block_size };
}
