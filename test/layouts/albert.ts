import { float } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import type { Layers } from './layers.js';

export interface AlbertShape {
  readonly vocabulary: number;
  /** Of the words, before they are widened. */
  readonly embedding: number;
  readonly width: number;
  readonly inner: number;
  readonly heads: number;
  readonly layers: number;
  readonly positions: number;
}

/** How onnxruntime's optimizer writes layers, or how PyTorch does. */
export interface Writing {
  readonly fused: boolean;
}

interface Dense {
  readonly matrix: Value;
  readonly bias: Value;
}

interface Norm {
  readonly scale: Value;
  readonly bias: Value;
}

const dense = (l: Layers, inputs: number, outputs: number): Dense => ({
  matrix: l.weight([inputs, outputs]),
  bias: l.weight([outputs], 0.1),
});

const norm = (l: Layers, width: number): Norm => ({ scale: l.weight([width], 0.2, 1), bias: l.weight([width], 0.1) });

const linear = (l: Layers, x: Value, { matrix, bias }: Dense): Value =>
  l.op('Add', [l.op('MatMul', [x, matrix]), bias]);

/** [batch, sequence, width]; every layer has the same weights. `mask`: 1 where there is a token. */
export function albert(l: Layers, shape: AlbertShape, ids: Value, mask: Value, writing: Writing): Value {
  const { vocabulary, embedding, width, inner, heads, layers, positions } = shape;
  const size = width / heads;
  const place = l.slice(l.constant('position_ids', places(positions)), 1, 0);
  const upTo = l.op('Slice', [place, l.integers(0), l.unsqueezed(l.sizeOf(ids, 1), 0), l.integers(1)]);
  const words = l.op('Gather', [l.weight([vocabulary, embedding], 1), ids]);
  const typed = l.op('Add', [words, l.weight([1, 1, embedding], 0.5)]);
  const placed = l.op('Add', [typed, l.op('Gather', [l.weight([positions, embedding], 0.5), upTo])]);
  let x = l.linear(l.layerNorm(placed, embedding), embedding, width);
  const bias = l.maskBias(l.unsqueezed(mask, 1, 2), -1e4);
  const projections = [0, 1, 2].map(() => dense(l, width, width));
  const output = dense(l, width, width);
  const [wide, narrow] = [dense(l, width, inner), dense(l, inner, width)];
  const [attended, ended] = [norm(l, width), norm(l, width)];
  for (let i = 0; i < layers; i++) {
    const [q, k, v] = projections.map((projection) => l.splitHeads(linear(l, x, projection), heads, size)) as [
      Value,
      Value,
      Value,
    ];
    const weights = l.op('Softmax', [l.op('Add', [scores(l, q, k, size, writing), bias])], { axis: -1 });
    const seen = linear(l, l.mergeHeads(l.op('MatMul', [weights, v]), width), output);
    x = addNormalized(l, x, seen, attended, writing);
    x = addNormalized(l, linear(l, newGelu(l, linear(l, x, wide), writing), narrow), x, ended, writing);
  }
  return x;
}

const places = (count: number) =>
  ({ type: 'int64', dims: [1, count], data: BigInt64Array.from({ length: count }, (_, i) => BigInt(i)) }) as const;

function scores(l: Layers, q: Value, k: Value, size: number, { fused }: Writing): Value {
  if (fused) return l.microsoft('FusedMatMul', [q, k], { alpha: float(1 / Math.sqrt(size)), transB: 1 })[0];
  const products = l.op('MatMul', [q, l.op('Transpose', [k], { perm: [0, 1, 3, 2] })]);
  return l.op('Div', [products, l.number(Math.sqrt(size))]);
}

function addNormalized(l: Layers, x: Value, y: Value, { scale, bias }: Norm, { fused }: Writing): Value {
  const epsilon = 1e-12;
  if (fused) return l.microsoft('SkipLayerNormalization', [x, y, scale, bias], { epsilon })[0];
  return l.op('LayerNormalization', [l.op('Add', [x, y]), scale, bias], { axis: -1, epsilon });
}

/** By a hyperbolic tangent: https://arxiv.org/abs/1606.08415 */
function newGelu(l: Layers, x: Value, { fused }: Writing): Value {
  if (fused) return l.microsoft('FastGelu', [x])[0];
  const cube = l.op('Mul', [l.op('Pow', [x, l.number(3)]), l.number(0.044715)]);
  const inner = l.op('Mul', [l.op('Add', [x, cube]), l.number(Math.sqrt(2 / Math.PI))]);
  return l.op('Mul', [l.op('Mul', [x, l.number(0.5)]), l.op('Add', [l.op('Tanh', [inner]), l.number(1)])]);
}
