// Writes the trained weights in the layout of published models: node export.mjs WEIGHTS FOLDER [q4|fp32 …]
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modelBuilder, tensor } from '../../../dist/builder.js';
import { BLOCK, quantize } from './quantize.mjs';
import { readSafetensors } from './safetensors.mjs';

/** As in decoder.py; all other sizes follow from the weights. */
const HEAD_SIZE = 64;
const POSITIONS = 256;
const ROTARY_BASE = 10_000;
const EPSILON = 1e-5;
const END = 0;

const MICROSOFT = { domain: 'com.microsoft' };

/** For each dtype of transformers.js: the file's suffix, products, and rows of the token embedding. */
const FORMS = {
  fp32: {
    suffix: '',
    product: (b, name, matrix) => {
      const weights = b.constant(name, tensor('float32', matrix.dims.toReversed(), transposed(matrix)));
      return (x) => b.op('MatMul', [x, weights]);
    },
    table: (b, name, matrix) => {
      const weights = b.constant(name, tensor('float32', matrix.dims, matrix.data));
      const turned = () => b.op('Transpose', [weights], { perm: [1, 0] });
      return { rows: (ids) => b.op('Gather', [weights, ids]), product: (x) => b.op('MatMul', [x, turned()]) };
    },
  },
  q4: {
    suffix: '_q4',
    product: (b, name, matrix) => blocks(b, name, matrix).product,
    table: (b, name, matrix) => blocks(b, name, matrix),
  },
};

/** One set of blocks serves products and, viewed as rows, the token embedding. */
function blocks(b, name, matrix) {
  const [n, k] = matrix.dims;
  const { bytes, scales, dims } = quantize(matrix);
  const weights = b.constant(`${name}_Q4`, tensor('uint8', dims, bytes));
  const sizes = b.constant(`${name}_scales`, tensor('float32', dims.slice(0, 2), scales));
  const shape = { bits: 4, block_size: BLOCK };
  return {
    product: (x) => b.op('MatMulNBits', [x, weights, sizes], { K: k, N: n, ...shape }, MICROSOFT),
    rows: (ids) => {
      const flat = b.op('Reshape', [weights, b.constant(`${name}_rows`, tensor('int64', [2], [n, k / 2]))]);
      const axes = { gather_axis: 0, quantize_axis: 1 };
      return b.op('GatherBlockQuantized', [flat, ids, sizes], { ...axes, ...shape }, MICROSOFT);
    },
  };
}

function transposed({ dims: [rows, columns], data }) {
  return Float32Array.from({ length: data.length }, (_, i) => data[(i % rows) * columns + Math.floor(i / rows)]);
}

/** The decoder's sizes, from its weights. */
function shapeOf(weights) {
  const [vocabulary, width] = weights['embed_tokens.weight'].dims;
  const heads = (part) => weights[`layers.0.self_attn.${part}_proj.weight`].dims[0] / HEAD_SIZE;
  const layers = Object.keys(weights).filter((name) => name.endsWith('q_proj.weight')).length;
  const [hidden] = weights['layers.0.mlp.up_proj.weight'].dims;
  return { vocabulary, width, layers, hidden, heads: heads('q'), keyHeads: heads('k') };
}

function rotaryTable(b, name, f) {
  const half = HEAD_SIZE / 2;
  const angle = (i) => Math.floor(i / half) / ROTARY_BASE ** ((i % half) / half);
  const values = Float32Array.from({ length: POSITIONS * half }, (_, i) => f(angle(i)));
  return b.constant(name, tensor('float32', [POSITIONS, half], values));
}

/** Attention's inputs from the mask: the last position of each row, and the total length. */
function lengths(b, mask) {
  const integer = (name, ...values) => b.constant(name, tensor('int64', [values.length], values));
  const one = integer('one', 1);
  const kept = b.op('Sub', [b.op('ReduceSum', [mask, one], { keepdims: 0 }), one]);
  const total = b.op('Gather', [b.op('Shape', [mask]), b.constant('axis', tensor('int64', [], [1]))], { axis: 0 });
  return [kept, total].map((value) => b.op('Cast', [value], { to: 6 }));
}

function decoder(weights, { product, table }) {
  const { vocabulary, layers, heads, keyHeads } = shapeOf(weights);
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 }, irVersion: 10 });
  const ids = b.input('input_ids', 'int64', ['batch_size', 'sequence_length']);
  const mask = b.input('attention_mask', 'int64', ['batch_size', 'total_sequence_length']);
  const cache = (length) => ['batch_size', keyHeads, length, HEAD_SIZE];
  const past = Array.from({ length: layers }, (_, i) =>
    ['key', 'value'].map((part) => b.input(`past_key_values.${i}.${part}`, 'float32', cache('past_sequence_length'))),
  );
  const tables = [rotaryTable(b, 'cos_cache', Math.cos), rotaryTable(b, 'sin_cache', Math.sin)];
  const valid = lengths(b, mask);
  const tokens = table(b, 'embed_tokens', weights['embed_tokens.weight']);
  const scale = (name) => b.constant(name, tensor('float32', weights[name].dims, weights[name].data));
  const linear = (name, x) => product(b, name, weights[`${name}.weight`])(x);

  /** x + change, and its norm. */
  const added = (x, change, name) => {
    const place = name.replace(/\.weight$/, '');
    const outputs = { ...MICROSOFT, outputs: [`${place}/output`, null, null, `${place}/sum`] };
    const inputs = [x, change, scale(name)];
    const [normal, , , sum] = b.node('SkipSimplifiedLayerNormalization', inputs, { epsilon: EPSILON }, outputs);
    return [sum, normal];
  };

  let x = tokens.rows(ids);
  let normal = b.op('SimplifiedLayerNormalization', [x, scale('layers.0.input_layernorm.weight')], {
    axis: -1,
    epsilon: EPSILON,
    stash_type: 1,
  });
  past.forEach((cached, i) => {
    const layer = `layers.${i}`;
    const [q, k, v] = ['q', 'k', 'v'].map((part) => linear(`${layer}.self_attn.${part}_proj`, normal));
    const [mixed, ...present] = b.node(
      'GroupQueryAttention',
      [q, k, v, ...cached, ...valid, ...tables],
      { num_heads: heads, kv_num_heads: keyHeads, do_rotary: 1, rotary_interleaved: 0 },
      { ...MICROSOFT, outputs: 3 },
    );
    ['key', 'value'].forEach((part, j) => {
      b.output(`present.${i}.${part}`, present[j], 'float32', cache('total_sequence_length'));
    });
    [x, normal] = added(x, linear(`${layer}.self_attn.o_proj`, mixed), `${layer}.post_attention_layernorm.weight`);
    const gate = linear(`${layer}.mlp.gate_proj`, normal);
    const up = linear(`${layer}.mlp.up_proj`, normal);
    const gated = b.op('Mul', [b.op('Mul', [gate, b.op('Sigmoid', [gate])]), up]);
    const next = i + 1 < layers ? `layers.${i + 1}.input_layernorm.weight` : 'norm.weight';
    [x, normal] = added(x, linear(`${layer}.mlp.down_proj`, gated), next);
  });
  b.output('logits', tokens.product(normal), 'float32', ['batch_size', 'sequence_length', vocabulary]);
  return b.toBytes();
}

const tokenIds = { bos_token_id: END, eos_token_id: END, pad_token_id: END };

const configOf = ({ vocabulary, width, layers, hidden, heads, keyHeads }) => ({
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_act: 'silu',
  hidden_size: width,
  intermediate_size: hidden,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  num_key_value_heads: keyHeads,
  head_dim: HEAD_SIZE,
  max_position_embeddings: POSITIONS,
  rms_norm_eps: EPSILON,
  rope_theta: ROTARY_BASE,
  vocab_size: vocabulary,
  tie_word_embeddings: true,
  attention_bias: false,
  mlp_bias: false,
  ...tokenIds,
});

/** Messages of a conversation follow each other like verses. */
const CHAT_TEMPLATE = "{% for message in messages %}{{ message['content'] + '\\n' }}{% endfor %}";

const tokenizerConfig = {
  tokenizer_class: 'GPT2Tokenizer',
  model_max_length: POSITIONS,
  bos_token: '<|endoftext|>',
  eos_token: '<|endoftext|>',
  pad_token: '<|endoftext|>',
  chat_template: CHAT_TEMPLATE,
};

const [path, folder, ...forms] = process.argv.slice(2);
if (!folder) throw new Error('usage: node export.mjs WEIGHTS FOLDER [q4|fp32 …]');
const weights = readSafetensors(path);
mkdirSync(join(folder, 'onnx'), { recursive: true });
for (const form of forms.length ? forms : ['q4']) {
  const { suffix, ...kept } = FORMS[form];
  writeFileSync(join(folder, `onnx/model${suffix}.onnx`), decoder(weights, kept));
}
const sampling = { do_sample: true, temperature: 0.8, top_p: 0.95 };
const configurations = {
  'config.json': configOf(shapeOf(weights)),
  'generation_config.json': { ...tokenIds, ...sampling },
  'tokenizer_config.json': tokenizerConfig,
};
for (const [name, contents] of Object.entries(configurations))
  writeFileSync(join(folder, name), `${JSON.stringify(contents, null, 2)}\n`);
copyFileSync(join(dirname(path), 'tokenizer.json'), join(folder, 'tokenizer.json'));
