import { modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { Layers } from './layers.js';
import type { Repository } from './repository.js';
import { byteTokenizer } from './tokenizers.js';

export interface BertShape {
  readonly vocabulary: number;
  readonly width: number;
  readonly inner: number;
  readonly heads: number;
  readonly layers: number;
  readonly positions: number;
}

interface Head {
  /** Of a classifier of whole texts; left out: the states of all tokens are the output. */
  readonly labels?: number;
}

/** An encoder that normalizes after each block, as PyTorch's exporter writes MiniLM, BGE and cross-encoders. */
export function bert({ vocabulary, width, inner, heads, layers, positions }: BertShape, { labels }: Head = {}): Model {
  const b = modelBuilder({ opset: 17, irVersion: 8 });
  const l = new Layers(b, 11);
  const [ids, mask, types] = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
    b.input(name, 'int64', ['batch_size', 'sequence_length']),
  ) as [Value, Value, Value];
  const place = l.op('Range', [l.integer(0), l.sizeOf(ids, 1), l.integer(1)]);
  const words = l.op('Gather', [l.weight([vocabulary, width], 1), ids]);
  const typed = l.op('Add', [words, l.op('Gather', [l.weight([2, width], 0.5), types])]);
  const placed = l.op('Add', [typed, l.op('Gather', [l.weight([positions, width], 0.5), place])]);
  const bias = l.maskBias(l.op('Unsqueeze', [mask, l.integers(1, 2)]), -1e4);

  let x = l.layerNorm(placed, width);
  for (let i = 0; i < layers; i++) {
    const split = () => l.splitHeads(l.linear(x, width, width), heads, width / heads);
    const attended = l.mergeHeads(l.attention(split(), split(), split(), bias, width / heads), width);
    x = l.layerNorm(l.op('Add', [x, l.linear(attended, width, width)]), width);
    const wide = l.gelu(l.linear(x, width, inner));
    x = l.layerNorm(l.op('Add', [x, l.linear(wide, inner, width)]), width);
  }
  if (labels === undefined) b.output('last_hidden_state', x, 'float32', ['batch_size', 'sequence_length', width]);
  else b.output('logits', classified(l, x, width, labels), 'float32', ['batch_size', labels]);
  return b.toModel();
}

function classified(l: Layers, states: Value, width: number, labels: number): Value {
  const first = l.op('Gather', [states, l.integer(0)], { axis: 1 });
  return l.linear(l.op('Tanh', [l.linear(first, width, width)]), width, labels);
}

/** A BERT with all that feature-extraction and text-classification want of it. */
export const sentenceEncoder = (shape: BertShape, head: Head = {}): Repository => ({
  json: {
    'config.json': {
      architectures: [head.labels === undefined ? 'BertModel' : 'BertForSequenceClassification'],
      ...{ model_type: 'bert', hidden_size: shape.width, intermediate_size: shape.inner },
      ...{ num_attention_heads: shape.heads, num_hidden_layers: shape.layers },
      ...{ vocab_size: shape.vocabulary, max_position_embeddings: shape.positions, type_vocab_size: 2 },
      ...(head.labels !== undefined && { id2label: { 0: 'LABEL_0' } }),
    },
    ...byteTokenizer(shape.vocabulary, shape.positions, { tokenizer: 'BertTokenizer' }),
  },
  models: { model: () => bert(shape, head) },
});
