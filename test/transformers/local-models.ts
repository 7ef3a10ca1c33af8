import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DECODER, decoder } from './decoder.js';
import { ENCODER, encoder } from './encoder.js';

const special = (tokens: readonly string[]) =>
  tokens.map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));

const vocabularyOf = (tokens: readonly string[]) => Object.fromEntries(tokens.map((token, id) => [token, id]));

const BERT_SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const PIECES = 'the a cat dog sat on mat ran to house and small big red saw old man home ##s ##ed ##ing . , !'.split(
  ' ',
);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const WORD_PIECES = [...BERT_SPECIAL, ...PIECES, ...LETTERS];

const bertTokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: special(BERT_SPECIAL),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: vocabularyOf(WORD_PIECES),
  },
};

const GPT_SPECIAL = ['<pad>', '<s>', '</s>'];
const MERGES = ['t h', 'th e', 'Ġ the', 'a t', 'Ġ c', 'Ġc at', 'Ġ s', 'i n'];
const BYTE_PAIRS = [...GPT_SPECIAL, 'Ġ', ...LETTERS, '.', ',', ...MERGES.map((merge) => merge.replace(' ', ''))];

const gptTokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: special(GPT_SPECIAL),
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: null,
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: { type: 'BPE', unk_token: null, vocab: vocabularyOf(BYTE_PAIRS), merges: MERGES },
};

const FILES: Record<string, () => object | Uint8Array> = {
  'encoder/config.json': () => ({
    architectures: ['BertModel'],
    model_type: 'bert',
    hidden_size: ENCODER.width,
    num_attention_heads: ENCODER.heads,
    num_hidden_layers: ENCODER.layers,
    vocab_size: ENCODER.vocabulary,
    max_position_embeddings: ENCODER.positions,
  }),
  'encoder/tokenizer.json': () => bertTokenizer,
  'encoder/tokenizer_config.json': () => ({
    tokenizer_class: 'BertTokenizer',
    model_max_length: ENCODER.positions,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
    mask_token: '[MASK]',
  }),
  'encoder/onnx/model.onnx': encoder,
  'decoder/config.json': () => ({
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    hidden_size: DECODER.width,
    num_attention_heads: DECODER.heads,
    num_key_value_heads: DECODER.sharedHeads,
    head_dim: DECODER.size,
    num_hidden_layers: DECODER.layers,
    vocab_size: DECODER.vocabulary,
    max_position_embeddings: DECODER.positions,
    bos_token_id: 1,
    eos_token_id: 2,
    pad_token_id: 0,
  }),
  'decoder/generation_config.json': () => ({ bos_token_id: 1, eos_token_id: 2, pad_token_id: 0 }),
  'decoder/tokenizer.json': () => gptTokenizer,
  'decoder/tokenizer_config.json': () => ({
    tokenizer_class: 'GPT2Tokenizer',
    model_max_length: DECODER.positions,
    bos_token: '<s>',
    eos_token: '</s>',
    pad_token: '<pad>',
  }),
  'decoder/onnx/model.onnx': decoder,
};

/** Writes the tiny models `encoder` and `decoder` with all that transformers.js reads of a model. */
export function writeModels(folder: string): void {
  for (const [path, make] of Object.entries(FILES)) {
    const contents = make();
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents instanceof Uint8Array ? contents : JSON.stringify(contents));
  }
}
