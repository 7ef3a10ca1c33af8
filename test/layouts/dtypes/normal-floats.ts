import type { Graph, Value } from '../../../src/graph/graph.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { once, Replacement, replaceProducts } from './replacement.js';

const BLOCK = 64;
const NF4 = 1;

/** What the codes stand for, over the largest of a block: https://arxiv.org/abs/2305.14314, appendix E */
const MEANINGS = [
  ...[-1, -0.6961928, -0.5250731, -0.3949175, -0.2844414, -0.1847734, -0.09105, 0],
  ...[0.0795803, 0.1609302, 0.2461123, 0.3379152, 0.4407098, 0.562617, 0.7229568, 1],
];

/** Products with constant matrices as MatMulBnb4, as onnxruntime's quantizer writes them for a file named bnb4. */
export const inNormalFloats = (graph: Graph): Graph =>
  replaceProducts(graph, 'com.microsoft:MatMulBnb4', once(packed), { block_size: BLOCK, quant_type: NF4 });

/** [K, N] as [N · K / 2] bytes, high nibbles first, and the largest magnitude of each block; a block may go on in the next column. */
function packed({ name, constant }: Value): [weights: Value, largest: Value] {
  const { dims, data } = constant as TensorValue<'float32'>;
  const [K, N] = dims as [number, number];
  const at = (i: number) => data[(i % K) * N + Math.floor(i / K)] as number;
  const weights = new Uint8Array(Math.ceil((N * K) / 2));
  const largest = new Float32Array(Math.ceil((N * K) / BLOCK));
  for (let i = 0; i < N * K; i++) {
    const block = Math.floor(i / BLOCK);
    largest[block] = Math.max(largest[block] as number, Math.abs(at(i)));
  }
  for (let i = 0; i < N * K; i++)
    (weights[i >> 1] as number) |= nearest(at(i) / (largest[Math.floor(i / BLOCK)] || 1)) << (i & 1 ? 0 : 4);
  const r = new Replacement(name);
  return [
    r.constant(`${name}_Bnb4`, { type: 'uint8', dims: [weights.length], data: weights }),
    r.constant(`${name}_absmax`, { type: 'float32', dims: [largest.length], data: largest }),
  ];
}

function nearest(value: number): number {
  const far = (code: number) => Math.abs((MEANINGS[code] as number) - value);
  return MEANINGS.reduce((best, _, code) => (far(code) < far(best) ? code : best), 0);
}
