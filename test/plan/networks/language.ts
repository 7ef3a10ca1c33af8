import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import { numbers } from '../../session/run-model.js';
import { int64s } from '../../values.js';
import { between, type Model, type Network, network } from './network.js';

const [WIDTH, HEADS, SHARED, SIZE, ROWS, BLOCK] = [64, 4, 2, 16, 40, 32];

const MICROSOFT = { domain: 'com.microsoft' };
const OWN = { domain: 'sardonyx' };

const list = (b: Model, ...values: number[]) => b.op('Constant', [], { value: int64s(values) });
const weights = (b: Model, name: string, ...dims: number[]) => b.constant(name, numbers(dims, name.length));

function bytes(b: Model, name: string, ...dims: number[]): Value {
  const count = dims.reduce((all, d) => all * d, 1);
  return b.constant(
    name,
    tensor(
      'uint8',
      dims,
      Array.from({ length: count }, (_, i) => (i * 37) % 256),
    ),
  );
}

/** A product by a matrix of 4-bit codes. */
function linear(b: Model, x: Value, name: string, from: number, to: number, level = 0): Value {
  const blocks = Math.ceil(from / BLOCK);
  const matrix = [bytes(b, name, to, blocks, BLOCK / 2), weights(b, `${name}_scales`, to, blocks)];
  const attributes = { K: from, N: to, bits: 4, block_size: BLOCK, accuracy_level: level };
  return b.node('MatMulNBits', [x, ...matrix], attributes, MICROSOFT)[0] as Value;
}

/** The second size of a tensor. */
const lengthOf = (b: Model, x: Value) => b.op('Cast', [b.op('Gather', [b.op('Shape', [x]), list(b, 1)])], { to: 6 });

const angles = (b: Model) => ['cos', 'sin'].map((name) => weights(b, name, ROWS, SIZE / 2));

/** A network of nodes that decompositions of other operators consist of. */
function ofParts(build: (b: Model) => void, dims: Network['dims']): Network {
  const b = modelBuilder({ opset: 21, opsets: { sardonyx: 1 } });
  build(b);
  return { model: b.toBytes(), dims };
}

/** A network of operators that opset 23 has added. */
function newest(build: (b: Model) => void, dims: Network['dims']): Network {
  const b = modelBuilder({ opset: 23 });
  build(b);
  return { model: b.toBytes(), dims };
}

/** Queries, keys and values of a prompt; returns a function that adds a node for them, with its outputs. */
function groupedPrompt(b: Model) {
  const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
  const lengths = b.input('lengths', 'int32', ['batch']);
  const operands = [HEADS, SHARED, SHARED].map((heads, i) => linear(b, x, `w${i}`, WIDTH, heads * SIZE));
  return (name: string, outputs: number, rest: readonly (Value | null)[], attributes: object) => {
    const inputs = [...operands, null, null, lengths, lengthOf(b, x), ...rest];
    const heads = { num_heads: HEADS, kv_num_heads: SHARED };
    const ys = b.node('GroupQueryAttention', inputs, { ...heads, ...attributes }, { ...MICROSOFT, outputs });
    for (const [i, y] of ys.entries()) b.output(`${name}${i}`, y);
  };
}

const promptDims: Network['dims'] = (next) => {
  const batch = between(next, 2, 4);
  return [[batch, between(next, 33, 60), WIDTH], [batch]];
};

export const LANGUAGE: Readonly<Record<string, Network>> = {
  'products by codes and rotations': network(
    (b) => {
      const ids = b.input('ids', 'int64', ['batch', 'sequence']);
      const positions = b.input('positions', 'int64', ['batch', 'sequence']);
      const table = [bytes(b, 'words', ROWS, WIDTH / 2), ids, weights(b, 'words_scales', ROWS, WIDTH / BLOCK)];
      const [x] = b.node('GatherBlockQuantized', table, { block_size: BLOCK }, MICROSOFT) as [Value];
      const turns = angles(b);
      const rotated = (name: string, heads: number, interleaved: number) => {
        const inputs = [linear(b, x, name, WIDTH, heads * SIZE), positions, ...turns];
        const attributes = { num_heads: heads, rotary_embedding_dim: SIZE, interleaved };
        return b.node('RotaryEmbedding', inputs, attributes, MICROSOFT)[0] as Value;
      };
      b.output('q', rotated('wq', HEADS, 0));
      b.output('k', rotated('wk', SHARED, 1));
      b.output('v', linear(b, linear(b, x, 'wv', WIDTH, 200), 'wo', 200, WIDTH, 1));
      const bnb4 = [bytes(b, 'w4', 12 * WIDTH), weights(b, 'maxima', 12 * 2 * 2)];
      b.output(
        'bnb4',
        b.node('MatMulBnb4', [x, ...bnb4], { K: WIDTH, N: 24, block_size: 32, quant_type: 1 }, MICROSOFT)[0] as Value,
      );
      b.output('logits', linear(b, b.op('Relu', [x]), 'head', WIDTH, 3000, 4));
    },
    (next) => {
      const dims = [between(next, 2, 4), between(next, 2, 90)];
      return [dims, dims];
    },
  ),
  'experts by codes': ofParts(
    (b) => {
      const x = b.input('x', 'float32', ['tokens', WIDTH]);
      const chosen = b.input('chosen', 'int64', ['tokens', 2]);
      const experts = [bytes(b, 'w', 4, 24, WIDTH / 2), weights(b, 'scales', 4, 24, 2), null, null, chosen];
      const attributes = { K: WIDTH, N: 24, block_size: BLOCK };
      b.output('y', b.node('ExpertMatMulNBits', [x, ...experts], attributes, OWN)[0] as Value);
    },
    (next) => {
      const tokens = between(next, 2, 150);
      return [
        [tokens, WIDTH],
        [tokens, 2],
      ];
    },
  ),
  'states that steps update': network(
    (b) => {
      const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
      const before = b.input('before', 'float32', ['batch', WIDTH, 3]);
      const past = b.input('past', 'float32', ['batch', SHARED, SIZE, SIZE]);
      const taps = [weights(b, 'taps', WIDTH, 1, 4), weights(b, 'bias', WIDTH), before];
      const steps = [b.op('Transpose', [x], { perm: [0, 2, 1] }), ...taps];
      const causal = { activation: 'silu', ndim: 1 };
      const [mixed, after] = b.node('CausalConvWithState', steps, causal, { ...MICROSOFT, outputs: 2 });
      const q = b.op('Transpose', [mixed as Value], { perm: [0, 2, 1] });
      const columns = (from: number, to: number) => b.op('Slice', [q, list(b, from), list(b, to), list(b, -1)]);
      const [k, v] = [columns(0, SHARED * SIZE), columns(SHARED * SIZE, WIDTH)];
      const gates = [past, columns(3, 3 + SHARED), columns(9, 10)];
      const attributes = { q_num_heads: HEADS, kv_num_heads: SHARED };
      const [y, present] = b.node('LinearAttention', [q, k, v, ...gates], attributes, { ...MICROSOFT, outputs: 2 });
      b.output('after', after as Value);
      b.output('y', y as Value);
      b.output('present', present as Value);
    },
    (next) => {
      const batch = between(next, 2, 4);
      return [
        [batch, between(next, 2, 200), WIDTH],
        [batch, WIDTH, 3],
        [batch, SHARED, SIZE, SIZE],
      ];
    },
  ),
  'caches with room': ofParts(
    (b) => {
      const cache = b.input('cache', 'float32', ['batch', SHARED, 'room', SIZE]);
      const starts = b.input('starts', 'int32', ['batch']);
      const excess = b.input('excess', 'int32', ['batch']);
      const fresh = b.input('fresh', 'float32', ['batch', SHARED, 'new', SIZE]);
      const q = b.input('q', 'float32', ['batch', HEADS, 1, SIZE]);
      const [written] = b.node('WriteRows', [cache, starts, fresh], { offset: 1 }, OWN) as [Value];
      const [lengths] = b.node('CheckedLengths', [excess, starts], { message: '# fewer' }, OWN) as [Value];
      const seen = (queries: Value, heads: number) => {
        const narrow = b.op('Slice', [queries, list(b, 0), list(b, heads), list(b, 1)]);
        const operands = [narrow, written, written, null, lengths];
        return b.node('CachedAttention', operands, { causal: 1, scale: 0.25 }, OWN)[0] as Value;
      };
      b.output('one', seen(q, HEADS));
      b.output('by blocks', seen(q, SHARED));
      const halves = b.op('Cast', [written], { to: 10 });
      const sinks = weights(b, 'sinks', HEADS);
      const windowed = { causal: 1, scale: 0.25, window: 100 };
      b.output(
        'in a window',
        b.node('CachedAttention', [q, halves, halves, null, lengths, sinks], windowed, OWN)[0] as Value,
      );
      b.output('prompt', b.node('CachedAttention', [fresh, written, written], { causal: 1 }, OWN)[0] as Value);
      b.output('written', written);
    },
    (next) => {
      const batch = between(next, 2, 4);
      return [
        [batch, SHARED, between(next, 260, 900), SIZE],
        [batch],
        [batch],
        [batch, SHARED, between(next, 2, 60), SIZE],
        [batch, HEADS, 1, SIZE],
      ];
    },
  ),
  'grouped queries of prompts': {
    repeated: [
      'GroupQueryAttention_7/Range_4',
      'GroupQueryAttention_7/GroupQueryAttention_13',
      'GroupQueryAttention_7/GroupQueryAttention_13/Range_9',
      'GroupQueryAttention_12',
      'GroupQueryAttention_12/Range_9',
    ],
    ...network((b) => {
      const grouped = groupedPrompt(b);
      grouped('cached', 3, angles(b), { do_rotary: 1 });
      grouped('plain', 1, [], { softcap: 2.5 });
    }, promptDims),
  },
  'grouped queries after a prompt': {
    repeated: [
      'GroupQueryAttention_5/GroupQueryAttention_3',
      'GroupQueryAttention_5/GroupQueryAttention_3/Reshape_8',
      'GroupQueryAttention_7/GroupQueryAttention_3',
      'GroupQueryAttention_7/GroupQueryAttention_3/Reshape_18',
      'GroupQueryAttention_7/GroupQueryAttention_3/Range_32',
      'GroupQueryAttention_7/GroupQueryAttention_3/Range_37',
    ],
    ...network(
      (b) => {
        const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
        const mask = b.input('mask', 'float32', ['batch', 'total']);
        const lengths = b.input('lengths', 'int32', ['batch']);
        const past = ['key', 'value'].map((name) => b.input(name, 'float32', ['batch', SHARED, 'past', SIZE]));
        const short = ['short key', 'short value'].map((name) =>
          b.input(name, 'float32', ['batch', SHARED, 'past', 12]),
        );
        const total = lengthOf(b, mask);
        const grouped = (name: string, size: number, caches: readonly Value[], attributes: object) => {
          const qkv = linear(b, x, name, WIDTH, (HEADS + 2 * SHARED) * size);
          const heads = { num_heads: HEADS, kv_num_heads: SHARED };
          const inputs = [qkv, null, null, ...caches, lengths, total];
          b.node('GroupQueryAttention', inputs, { ...heads, ...attributes }, { ...MICROSOFT, outputs: 3 }).forEach(
            (y, i) => {
              b.output(`${name}${i}`, y);
            },
          );
        };
        grouped('packed', SIZE, past, {});
        grouped('short', 12, short, { local_window_size: 50 });
      },
      (next) => {
        const [past, fresh] = [between(next, 60, 300), between(next, 2, 40)];
        const caches = [SIZE, SIZE, 12, 12].map((size) => [1, SHARED, past, size]);
        return [[1, fresh, WIDTH], [1, past + fresh], [1], ...caches];
      },
    ),
  },
  'grouped queries of sequences of other lengths': {
    repeated: [
      'GroupQueryAttention_5/GroupQueryAttention_3',
      'GroupQueryAttention_5/GroupQueryAttention_3/Reshape_8',
      'GroupQueryAttention_5/GroupQueryAttention_3/Pad_12',
      'GroupQueryAttention_5/GroupQueryAttention_3/Reshape_17',
      'GroupQueryAttention_5/GroupQueryAttention_3/Pad_21',
    ],
    ...network(
      (b) => {
        const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
        const mask = b.input('mask', 'float32', ['batch', 'total']);
        const lengths = b.input('lengths', 'int32', ['batch']);
        const past = ['key', 'value'].map((name) => b.input(name, 'float32', ['batch', SHARED, 'past', SIZE]));
        const qkv = linear(b, x, 'wide', WIDTH, (HEADS + 2 * SHARED) * SIZE);
        const inputs = [qkv, null, null, ...past, lengths, lengthOf(b, mask)];
        const heads = { num_heads: HEADS, kv_num_heads: SHARED };
        b.node('GroupQueryAttention', inputs, heads, { ...MICROSOFT, outputs: 3 }).forEach((y, i) => {
          b.output(`y${i}`, y);
        });
      },
      (next) => {
        const [batch, past, fresh] = [between(next, 2, 4), between(next, 60, 300), between(next, 2, 40)];
        const cache = [batch, SHARED, past, SIZE];
        return [[batch, fresh, WIDTH], [batch, past + fresh], [batch], cache, cache];
      },
    ),
  },
  'heads of an encoder and a decoder': {
    repeated: [
      'MultiHeadAttention_7',
      'MultiHeadAttention_10',
      'MultiHeadAttention_10/Range_10',
      'MultiHeadAttention_22',
      'MultiHeadAttention_27',
      'MultiHeadAttention_28',
      'MultiHeadAttention_28/MatMul_13',
    ],
    ...network(
      (b) => {
        const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
        const seen = b.input('seen', 'float32', ['batch', 'source', WIDTH]);
        const [padding, lengths] = [
          b.input('padding', 'int32', ['batch', 'source']),
          b.input('lengths', 'int32', ['batch']),
        ];
        const past = ['key', 'value'].map((name) => b.input(name, 'float32', ['batch', HEADS, 'past', SIZE]));
        const among = (inputs: readonly (Value | null)[], attributes = {}, outputs = 1) =>
          b.node('MultiHeadAttention', inputs, { num_heads: HEADS, ...attributes }, { ...MICROSOFT, outputs });
        const projected = (from: Value, name: string) => b.op('MatMul', [from, weights(b, name, WIDTH, WIDTH)]);
        const [q, k, v] = [projected(x, 'wq'), projected(seen, 'wk'), projected(seen, 'wv')];
        const bias = weights(b, 'bias', 3 * WIDTH);
        const scores = b.op('MatMul', [x, b.op('Transpose', [seen], { perm: [0, 2, 1] })]);
        const added = b.op('Unsqueeze', [scores, list(b, 1)]);
        const [crossed] = among([q, k, v, bias, padding, added]) as [Value];
        const own = [crossed, projected(x, 'wk2'), projected(x, 'wv2')];
        among([...own, null, lengths, null, ...past], { unidirectional: 1 }, 3).forEach((y, i) => {
          b.output(`own${i}`, y);
        });
        const packed = b.op('Reshape', [projected(x, 'wqkv'), list(b, 0, -1, 4, 4, 4)]);
        const [q5, pair] = [
          b.op('Slice', [packed, list(b, 0), list(b, 3), list(b, 3)]),
          b.op('Slice', [packed, list(b, 1), list(b, 3), list(b, 3)]),
        ];
        b.output('packed', among([q5], { unidirectional: 1 })[0] as Value);
        const narrow = b.op('Slice', [x, list(b, 0), list(b, 16), list(b, 2)]);
        b.output('pair', among([narrow, pair])[0] as Value);
        among([q, k, v], {}, 4).forEach((y, i) => {
          if (i === 0 || i === 3) b.output(`scored${i}`, y);
        });
      },
      (next) => {
        const [batch, rows, source] = [between(next, 2, 4), between(next, 2, 60), between(next, 2, 60)];
        const cache = [batch, HEADS, between(next, 60, 90), SIZE];
        return [[batch, rows, WIDTH], [batch, source, WIDTH], [batch, source], [batch], cache, cache];
      },
    ),
  },
  "ONNX's attention": {
    repeated: ['Attention_3', 'Attention_4', 'Attention_5'],

    ...newest(
      (b) => {
        const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
        const mask = b.input('mask', 'bool', ['batch', 1, 'sequence', 'total']);
        const past = ['key', 'value'].map((name) => b.input(name, 'float32', ['batch', SHARED, 'past', SIZE]));
        const projected = (name: string, heads: number) => b.op('MatMul', [x, weights(b, name, WIDTH, heads * SIZE)]);
        const operands = [projected('wq', HEADS), projected('wk', SHARED), projected('wv', SHARED)];
        const heads = { q_num_heads: HEADS, kv_num_heads: SHARED };
        b.node('Attention', [...operands, mask, ...past], heads, { outputs: 3 }).forEach((y, i) => {
          b.output(`y${i}`, y);
        });
        b.node('Attention', operands, { ...heads, is_causal: 1, softcap: 2.5 }, { outputs: 1 }).forEach((y) => {
          b.output('causal', y);
        });
        b.node('Attention', operands, { ...heads, qk_matmul_output_mode: 1 }, { outputs: 4 }).forEach((y, i) => {
          b.output(`scored${i}`, y);
        });
      },
      (next) => {
        const [batch, rows, past] = [between(next, 2, 4), between(next, 2, 60), between(next, 2, 60)];
        const cache = [batch, SHARED, past, SIZE];
        return [[batch, rows, WIDTH], [batch, 1, rows, past + rows], cache, cache];
      },
    ),
  },
  'sums of products': {
    repeated: ['Einsum_0', 'Einsum_1', 'Einsum_2', 'Einsum_6', 'Einsum_7'],
    ...network(
      (b) => {
        const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
        const projected = (name: string) =>
          b.node('Einsum', [x, weights(b, name, WIDTH, HEADS, SIZE)], { equation: 'bid,dhc->bihc' })[0] as Value;
        const [q, k, v] = [projected('wq'), projected('wk'), projected('wv')] as const;
        const [scores] = b.node('Einsum', [q, k], { equation: 'bihc,bjhc->bhij' }) as [Value];
        const [seen] = b.node('Einsum', [b.op('Softmax', [scores]), v], { equation: 'bhij,bjhc->bihc' }) as [Value];
        const joined = [seen, weights(b, 'wo', HEADS, SIZE, WIDTH)];
        b.output('y', b.node('Einsum', joined, { equation: 'bihc,hcd->bid' })[0] as Value);
        b.output('outer', b.node('Einsum', [x, x], { equation: 'bid,bjd->bijd' })[0] as Value);
      },
      (next) => [[between(next, 2, 4), between(next, 2, 60), WIDTH]],
    ),
  },
  'a decoder whose cache grows': {
    repeated: [
      'GroupQueryAttention_8/GroupQueryAttention_13',
      'GroupQueryAttention_8/GroupQueryAttention_13/Reshape_8',
    ],
    ...network(
      (b) => {
        const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
        const mask = b.input('mask', 'float32', ['batch', 'total']);
        const lengths = b.input('lengths', 'int32', ['batch']);
        const past = ['key', 'value'].map((name) => b.input(name, 'float32', ['batch', SHARED, 'past', SIZE]));
        const total = lengthOf(b, mask);
        const normal = b.op('SimplifiedLayerNormalization', [x, weights(b, 'scale', WIDTH)]);
        const product = (name: string, heads: number) => linear(b, normal, name, WIDTH, heads * SIZE);
        const operands = [product('wq', HEADS), product('wk', SHARED), product('wv', SHARED)];
        const attributes = { num_heads: HEADS, kv_num_heads: SHARED, do_rotary: 1 };
        const inputs = [...operands, ...past, lengths, total, ...angles(b)];
        const [seen, ...caches] = b.node('GroupQueryAttention', inputs, attributes, { ...MICROSOFT, outputs: 3 });
        const skip = [x, linear(b, seen as Value, 'wo', WIDTH, WIDTH), weights(b, 'scale2', WIDTH)];
        b.output('y', b.node('SkipSimplifiedLayerNormalization', skip, {}, MICROSOFT)[0] as Value);
        for (const [i, cache] of caches.entries()) b.output(`present${i}`, cache);
      },
      (next) => {
        const past = between(next, 300, 900);
        return [[1, 1, WIDTH], [1, past + 1], [1], [1, SHARED, past, SIZE], [1, SHARED, past, SIZE]];
      },
    ),
  },
  'grouped queries with sinks': {
    repeated: [
      'GroupQueryAttention_7',
      'GroupQueryAttention_7/Range_9',
      'GroupQueryAttention_7/Range_23',
      'GroupQueryAttention_7/Range_27',
      'GroupQueryAttention_7/MatMul_49',
    ],
    ...network((b) => {
      const grouped = groupedPrompt(b);
      grouped('scored', 4, [null, null, null, null, weights(b, 'sink', HEADS)], { qk_output: 1 });
    }, promptDims),
  },
  'attention that projects': {
    repeated: [
      'EmbedLayerNormalization_0/Range_2',
      'Attention_2/MultiHeadAttention_8',
      'Attention_2/MultiHeadAttention_8/Range_6',
      'Attention_3/MultiHeadAttention_8',
      'Attention_4/MultiHeadAttention_10',
      'Attention_5/MultiHeadAttention_10',
    ],
    ...network(
      (b) => {
        const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
        const ids = b.input('ids', 'int32', ['batch', 'sequence']);
        const [mask, lengths] = [b.input('mask', 'int32', ['batch', 'total']), b.input('lengths', 'int32', ['batch'])];
        const past = b.input('past', 'float32', [2, 'batch', HEADS, 'past', SIZE]);
        const [scale, bias] = [weights(b, 'scale', WIDTH), weights(b, 'bias3', 3 * WIDTH)];
        const tables = [weights(b, 'words', ROWS, WIDTH), weights(b, 'places', 100, WIDTH), null, scale, scale];
        const [embedded] = b.node('EmbedLayerNormalization', [ids, null, ...tables], {}, MICROSOFT) as [Value];
        const [normal] = b.node('SkipLayerNormalization', [x, embedded, scale], {}, MICROSOFT) as [Value];
        const attention = (name: string, rest: readonly (Value | null)[], outputs = 1, attributes = {}) => {
          const inputs = [normal, weights(b, name, WIDTH, 3 * WIDTH), bias, ...rest];
          const ys = b.node('Attention', inputs, { num_heads: HEADS, ...attributes }, { ...MICROSOFT, outputs });
          for (const [i, y] of ys.entries()) b.output(`${name}${i}`, y);
        };
        attention('of lengths', [lengths]);
        attention('of itself', [ids], 2, { unidirectional: 1 });
        attention('after a past', [mask, past], 2, { unidirectional: 1 });
        attention('of new keys', [ids, past], 2);
      },
      (next) => {
        const [batch, rows, past] = [between(next, 2, 4), between(next, 2, 60), between(next, 2, 60)];
        return [[batch, rows, WIDTH], [batch, rows], [batch, past + rows], [batch], [2, batch, HEADS, past, SIZE]];
      },
    ),
  },
  'mixtures of experts': {
    repeated: ['QMoE_3', 'QMoE_4', 'QMoE_4/MatMul_14', 'QMoE_4/MatMul_28', 'MoE_5'],
    ...network(
      (b) => {
        const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
        const router = b.op('Reshape', [b.op('MatMul', [x, weights(b, 'router', WIDTH, 4)]), list(b, -1, 4)]);
        const coded = (name: string, rows: number, columns: number) => {
          const codes = bytes(b, `${name}${rows}`, 4, rows, columns / 2);
          return [codes, weights(b, `${name}${rows}_scales`, 4, rows), weights(b, `${name}${rows}_bias`, 4, rows)];
        };
        const quantized = (name: string, width: number) => {
          const inputs = [x, router, ...coded(name, width, WIDTH), ...coded(name, WIDTH, width)];
          return b.node('QMoE', inputs, { k: 2, activation_type: 'silu' }, MICROSOFT)[0] as Value;
        };
        b.output('by codes', quantized('panels', 32));
        b.output('by floats', quantized('odd', 12));
        const layer = (name: string, rows: number, columns: number) => [
          weights(b, name, 4, rows, columns),
          weights(b, `${name} bias`, 4, rows),
        ];
        const floats = [x, router, ...layer('up', 48, WIDTH), ...layer('down', WIDTH, 24)];
        const swiglu = { k: 2, activation_type: 'swiglu', swiglu_fusion: 1 };
        b.output('floats', b.node('MoE', floats, swiglu, MICROSOFT)[0] as Value);
      },
      (next) => [[between(next, 2, 4), between(next, 2, 60), WIDTH]],
    ),
  },
};
