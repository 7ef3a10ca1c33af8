import type { Graph, Node, Value } from '../../../src/graph/graph.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { once, Replacement, replaceNodes, replaceProducts } from './replacement.js';

const BLOCK = 32;
const MIDDLE = 8;

/** The name of a table [rows, columns] as [columns, rows]. */
export const transposedName = (name: string): string => `${name}_transposed`;

/**
 * Products with constant matrices as MatMulNBits: 4 bits, blocks of 32, symmetric, no accuracy level, as onnxruntime's
 * quantizer writes them for a file named q4. Where a table scores tokens and embeds them, it is gathered from the same weights.
 */
export function inFourBits(graph: Graph): Graph {
  const pack = once(packed);
  const matrices = new Map(graph.nodes.map(({ inputs: [, matrix] }) => [matrix?.name, matrix]));
  const products = replaceProducts(graph, 'com.microsoft:MatMulNBits', pack, { bits: 4, block_size: BLOCK });
  return replaceNodes(products, () => (node) => {
    const [table, ids] = node.inputs as [Value, Value];
    const matrix = node.op === 'Gather' && matrices.get(transposedName(table.name));
    return matrix ? gathered(node, table, ids, pack(matrix)) : undefined;
  });
}

function gathered(node: Node, { constant }: Value, ids: Value, [weights, scales]: readonly Value[]): readonly Node[] {
  const [rows, columns] = (constant as TensorValue).dims as [number, number];
  const r = new Replacement(`${node.name}_Q4`);
  const reshaped = (value: Value, width: number) =>
    r.op('Reshape', [value, r.constant(`${value.name}_rows`, integers(rows, width))]);
  const inputs = [reshaped(weights as Value, columns / 2), ids, reshaped(scales as Value, columns / BLOCK)];
  const attributes = { bits: 4, block_size: BLOCK, gather_axis: 0, quantize_axis: 1 };
  r.op('com.microsoft:GatherBlockQuantized', inputs, attributes, node.outputs[0]);
  return r.nodes;
}

const integers = (...values: readonly number[]): TensorValue => ({
  type: 'int64',
  dims: [values.length],
  data: BigInt64Array.from(values, BigInt),
});

/** [K, N] as [N, blocks, 16] bytes, low nibbles first, and a scale for each block: its furthest value becomes −8. */
function packed({ name, constant }: Value): [weights: Value, scales: Value] {
  const { dims, data } = constant as TensorValue<'float32'>;
  const [K, N] = dims as [number, number];
  const blocks = Math.ceil(K / BLOCK);
  const weights = new Uint8Array((N * blocks * BLOCK) / 2);
  const scales = new Float32Array(N * blocks);
  for (let n = 0; n < N; n++)
    for (let block = 0; block < blocks; block++) {
      const at = (k: number) => (k < K ? (data[k * N + n] as number) : 0);
      const scale = furthest(at, block * BLOCK) / -MIDDLE;
      scales[n * blocks + block] = scale;
      for (let i = 0; i < BLOCK; i++)
        (weights[((n * blocks + block) * BLOCK + i) >> 1] as number) |=
          nibble(at(block * BLOCK + i), scale) << (4 * (i & 1));
    }
  const r = new Replacement(name);
  return [
    r.constant(`${name}_Q4`, { type: 'uint8', dims: [N, blocks, BLOCK / 2], data: weights }),
    r.constant(`${name}_scales`, { type: 'float32', dims: [N * blocks], data: scales }),
  ];
}

function furthest(at: (k: number) => number, begin: number): number {
  let found = 0;
  for (let k = begin; k < begin + BLOCK; k++) if (Math.abs(at(k)) > Math.abs(found)) found = at(k);
  return found;
}

const nibble = (value: number, scale: number) =>
  scale === 0 ? MIDDLE : Math.max(0, Math.min(15, Math.round(value / scale) + MIDDLE));
