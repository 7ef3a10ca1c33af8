import type { Graph, Node, Value } from '../../../src/graph/graph.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { Replacement, replaceNodes } from './replacement.js';

const BLOCK = 32;
const MIDDLE = 8;

/**
 * Products with constant matrices as MatMulNBits: 4 bits, blocks of 32, symmetric, no accuracy level, as onnxruntime's
 * quantizer writes them for a file named q4.
 */
export function inFourBits(graph: Graph): Graph {
  const known = new Map<Value, Packed>();
  const packedOnce = (matrix: Value): Packed => {
    const found = known.get(matrix) ?? packed(matrix);
    known.set(matrix, found);
    return found;
  };
  return replaceNodes(graph, () => (node) => replaceMatMul(node, packedOnce));
}

interface Packed {
  readonly weights: Value;
  readonly scales: Value;
}

function replaceMatMul(node: Node, packed: (matrix: Value) => Packed): readonly Node[] | undefined {
  const [x, matrix] = node.inputs as [Value, Value];
  if (node.op !== 'MatMul' || matrix.constant?.dims.length !== 2) return undefined;
  const [K, N] = matrix.constant.dims as [number, number];
  const r = new Replacement(`${node.name}_Q4`);
  const { weights, scales } = packed(matrix);
  r.op('com.microsoft:MatMulNBits', [x, weights, scales], { K, N, bits: 4, block_size: BLOCK }, node.outputs[0]);
  return r.nodes;
}

/** [K, N] as [N, blocks, 16] bytes, low nibbles first, and a scale for each block: its furthest value becomes −8. */
function packed({ name, constant }: Value): Packed {
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
  return {
    weights: r.constant(`${name}_Q4`, { type: 'uint8', dims: [N, blocks, BLOCK / 2], data: weights }),
    scales: r.constant(`${name}_scales`, { type: 'float32', dims: [N * blocks], data: scales }),
  };
}

function furthest(at: (k: number) => number, begin: number): number {
  let found = 0;
  for (let k = begin; k < begin + BLOCK; k++) if (Math.abs(at(k)) > Math.abs(found)) found = at(k);
  return found;
}

const nibble = (value: number, scale: number) =>
  scale === 0 ? MIDDLE : Math.max(0, Math.min(15, Math.round(value / scale) + MIDDLE));
