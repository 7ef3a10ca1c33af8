import { countOf, type PlainArray, plain } from './array.js';
import { int, listed, maybe, type Reference, type ReferenceNode, type References, tensor } from './definition.js';
import { concat, transpose } from './movement.js';
import { broadcastOffsets, stridesOf } from './offsets.js';
import { softmax } from './softmax.js';

/** [batch, sequence, heads · size] as [batch, heads, sequence, size]. */
function apart(x: PlainArray, heads: number): PlainArray {
  if (x.dims.length === 4) return x;
  const [batch, length, width] = x.dims as [number, number, number];
  return transpose(plain(x.type, [batch, length, heads, width / heads], x.data), [0, 2, 1, 3]);
}

function together(x: PlainArray): PlainArray {
  const [batch, heads, length, size] = x.dims as [number, number, number, number];
  return plain(x.type, [batch, length, heads * size], transpose(x, [0, 2, 1, 3]).data);
}

interface Shape {
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  /** Keys before those of this call. */
  readonly past: number;
}

/** What is added to the products: the mask, −∞ for keys that come later, and for those that are padding. */
function biasOf(node: ReferenceNode, { batch, heads, queries, keys, past }: Shape): Float64Array {
  const dims = [batch, heads, queries, keys];
  const bias = new Float64Array(countOf(dims));
  const mask = maybe(node, 3);
  if (mask) addMask(bias, mask, dims);
  const lengths = listed(node, 6);
  const isCausal = int(node, 'is_causal', 0) !== 0;
  for (let i = 0; i < bias.length; i++) {
    const key = i % keys;
    const query = Math.floor(i / keys) % queries;
    const length = lengths?.[Math.floor(i / (keys * queries * heads))];
    const offset = length === undefined ? past : length - queries;
    if (isCausal && key > query + offset) bias[i] = Number.NEGATIVE_INFINITY;
    if (length !== undefined && key >= length) bias[i] = Number.NEGATIVE_INFINITY;
  }
  return bias;
}

/** A mask of fewer keys masks the others. */
function addMask(bias: Float64Array, mask: PlainArray, dims: readonly number[]): void {
  const keys = dims.at(-1) as number;
  const masked = mask.dims.at(-1) as number;
  const covered = [...dims.slice(0, -1), masked === 1 ? keys : masked];
  const at = broadcastOffsets(mask.dims, covered);
  const width = covered.at(-1) as number;
  const value = (x: number) => (mask.type === 'bool' ? (x ? 0 : Number.NEGATIVE_INFINITY) : x);
  for (let i = 0; i < bias.length; i++) {
    const key = i % keys;
    const row = Math.floor(i / keys);
    bias[i] = key < width ? value(Number(mask.data[at[row * width + key] as number])) : Number.NEGATIVE_INFINITY;
  }
}

const withPast = (past: PlainArray | undefined, x: PlainArray): PlainArray => (past ? concat([past, x], 2) : x);

/** Rows whose keys are all masked give 0. */
const Attention: Reference = (node) => {
  const isFlat = tensor(node, 0).dims.length === 3;
  const q = apart(tensor(node, 0), int(node, 'q_num_heads', 1));
  const kvHeads = int(node, 'kv_num_heads', 1);
  const k = withPast(maybe(node, 4), apart(tensor(node, 1), kvHeads));
  const v = withPast(maybe(node, 5), apart(tensor(node, 2), kvHeads));
  const [batch, heads, queries, size] = q.dims as [number, number, number, number];
  const [, groups, keys, width] = v.dims as [number, number, number, number];
  const bias = biasOf(node, { batch, heads, queries, keys, past: maybe(node, 4)?.dims[2] ?? 0 });
  const scale = node.attributes.scale === undefined ? 1 / Math.sqrt(size) : Number(node.attributes.scale);
  const softcap = Number(node.attributes.softcap ?? 0);
  const mode = int(node, 'qk_matmul_output_mode', 0);
  const y: number[] = [];
  const products: number[] = [];
  for (let row = 0; row < batch * heads * queries; row++) {
    const head = Math.floor(row / queries);
    const group = Math.floor(head / heads) * groups + Math.floor((head % heads) / (heads / groups));
    const raw = Array.from({ length: keys }, (_, key) => {
      let sum = 0;
      for (let i = 0; i < size; i++) {
        sum += (q.data[row * size + i] as number) * (k.data[(group * keys + key) * size + i] as number);
      }
      return sum * scale;
    });
    const capped = softcap ? raw.map((x) => softcap * Math.tanh(x / softcap)) : raw;
    const own = bias.subarray(row * keys, (row + 1) * keys);
    const biased = capped.map((x, key) => x + (own[key] as number));
    const isMasked = own.every((x) => x === Number.NEGATIVE_INFINITY);
    const weights = isMasked ? biased.map(() => 0) : softmax(biased);
    products.push(...([raw, capped, biased, weights][mode] as number[]));
    for (let i = 0; i < width; i++) {
      let sum = 0;
      for (let key = 0; key < keys; key++) {
        sum += (weights[key] as number) * (v.data[(group * keys + key) * width + i] as number);
      }
      y.push(sum);
    }
  }
  const result = plain(q.type, [batch, heads, queries, width], y);
  return [isFlat ? together(result) : result, k, v, plain(q.type, [batch, heads, queries, keys], products)];
};

/** Pairs of the first `rotary` entries of a head are turned by the angle of their position. */
const RotaryEmbedding: Reference = (node) => {
  const input = tensor(node, 0);
  const [cos, sin] = [tensor(node, 1), tensor(node, 2)];
  const positions = listed(node, 3);
  const x = apart(input, int(node, 'num_heads', 0));
  const [, heads, length, size] = x.dims as [number, number, number, number];
  const rotary = int(node, 'rotary_embedding_dim', 0) || size;
  const isInterleaved = int(node, 'interleaved', 0) !== 0;
  const half = rotary / 2;
  const [stride] = stridesOf(cos.dims.slice(-2)) as [number, number];
  const out = [...x.data] as number[];
  for (let row = 0; row < out.length / size; row++) {
    const place = Math.floor(row / (heads * length)) * length + (row % length);
    const angle = (positions?.[place] ?? place) * stride;
    for (let i = 0; i < half; i++) {
      const first = row * size + (isInterleaved ? 2 * i : i);
      const second = isInterleaved ? first + 1 : first + half;
      const [a, b] = [x.data[first] as number, x.data[second] as number];
      const [c, s] = [cos.data[angle + i] as number, sin.data[angle + i] as number];
      out[first] = c * a - s * b;
      out[second] = s * a + c * b;
    }
  }
  const turned = plain(x.type, x.dims, out);
  return [input.dims.length === 3 ? together(turned) : turned];
};

export const ATTENTION: References = { Attention, RotaryEmbedding };
