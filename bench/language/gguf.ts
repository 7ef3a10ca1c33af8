import { closeSync, openSync, writeSync } from 'node:fs';
import { toFloat16 } from '../../src/tensor/half.js';
import type { DecoderShape } from '../../test/layouts/decoder.js';
import { noise } from '../../test/layouts/noise.js';
import { vocabularyOf } from '../../test/layouts/tokenizers.js';

/** https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
const VERSION = 3;
const ALIGNMENT = 32;
const UINT32 = 4;
const INT32 = 5;
const FLOAT32 = 6;
const BOOL = 7;
const STRING = 8;
const ARRAY = 9;

/** ggml's tensor types; Q4_0 has blocks of 32: a float16 scale and 16 bytes. */
const F32 = 0;
const Q4_0 = 2;
const BLOCK = 32;
const BLOCK_BYTES = 18;

/** The root mean square of the generated nibbles minus 8. */
const SPREAD = Math.sqrt((2 * (8 * 8 - 1)) / 12);

interface TensorEntry {
  readonly name: string;
  /** The input dimension of a product first. */
  readonly dims: readonly number[];
  readonly type: number;
}

/** Writes a decoder of this shape with random weights in Q4_0, in the format of llama.cpp and wllama. */
export function writeGguf(path: string, shape: DecoderShape): void {
  const tensors = tensorsOf(shape);
  const file = openSync(path, 'w');
  try {
    writeSync(file, header(shape, tensors));
    tensors.forEach((tensor, i) => {
      const bytes = tensor.type === F32 ? floats(tensor, i) : blocks(tensor, i);
      writeSync(file, bytes);
      writeSync(file, new Uint8Array(padding(bytes.length)));
    });
  } finally {
    closeSync(file);
  }
}

function tensorsOf({ type, vocabulary, width, inner, layers, heads, sharedHeads, size }: DecoderShape): TensorEntry[] {
  const matrix = (name: string, inputs: number, outputs: number) => ({ name, dims: [inputs, outputs], type: Q4_0 });
  const vector = (name: string, length: number) => ({ name, dims: [length], type: F32 });
  const layer = (i: number) => {
    const at = (name: string) => `blk.${i}.${name}`;
    const projections = [
      ['q', heads],
      ['k', sharedHeads],
      ['v', sharedHeads],
    ] as const;
    return [
      vector(at('attn_norm.weight'), width),
      ...projections.flatMap(([name, count]) => [
        matrix(at(`attn_${name}.weight`), width, count * size),
        ...(type === 'qwen2' ? [vector(at(`attn_${name}.bias`), count * size)] : []),
      ]),
      matrix(at('attn_output.weight'), heads * size, width),
      vector(at('ffn_norm.weight'), width),
      ...['gate', 'up'].map((name) => matrix(at(`ffn_${name}.weight`), width, inner)),
      matrix(at('ffn_down.weight'), inner, width),
    ];
  };
  return [
    matrix('token_embd.weight', width, vocabulary),
    ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
    vector('output_norm.weight', width),
  ];
}

const bytesOf = ({ dims, type }: TensorEntry) => {
  const count = dims.reduce((a, b) => a * b, 1);
  return type === F32 ? 4 * count : (count / BLOCK) * BLOCK_BYTES;
};

const padding = (bytes: number) => (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT;

function header(shape: DecoderShape, tensors: readonly TensorEntry[]): Uint8Array {
  const out = new Writer();
  const entries = metadata(shape);
  out.bytes(new TextEncoder().encode('GGUF'));
  out.uint32(VERSION);
  out.uint64(tensors.length);
  out.uint64(entries.length);
  for (const [key, type, value] of entries) {
    out.string(key);
    out.uint32(type);
    out.value(type, value);
  }
  let offset = 0;
  for (const tensor of tensors) {
    out.string(tensor.name);
    out.uint32(tensor.dims.length);
    for (const dim of tensor.dims) out.uint64(dim);
    out.uint32(tensor.type);
    out.uint64(offset);
    offset += bytesOf(tensor) + padding(bytesOf(tensor));
  }
  out.bytes(new Uint8Array(padding(out.length)));
  return out.joined();
}

type Metadata = readonly [key: string, type: number, value: unknown];

function metadata(shape: DecoderShape): Metadata[] {
  const { type, vocabulary, width, inner, layers, heads, sharedHeads, size, positions, base } = shape;
  const tokens = vocabularyOf(vocabulary);
  const kinds = tokens.map((_, id) => (id < 3 ? 3 : 1));
  const own = (key: string) => `${type}.${key}`;
  return [
    ['general.architecture', STRING, type],
    ['general.alignment', UINT32, ALIGNMENT],
    ['general.file_type', UINT32, 2],
    [own('context_length'), UINT32, positions],
    [own('embedding_length'), UINT32, width],
    [own('block_count'), UINT32, layers],
    [own('feed_forward_length'), UINT32, inner],
    [own('attention.head_count'), UINT32, heads],
    [own('attention.head_count_kv'), UINT32, sharedHeads],
    [own('attention.layer_norm_rms_epsilon'), FLOAT32, 1e-5],
    [own('rope.dimension_count'), UINT32, size],
    [own('rope.freq_base'), FLOAT32, base],
    [own('vocab_size'), UINT32, vocabulary],
    ['tokenizer.ggml.model', STRING, 'gpt2'],
    ['tokenizer.ggml.pre', STRING, 'default'],
    ['tokenizer.ggml.tokens', ARRAY, [STRING, tokens]],
    ['tokenizer.ggml.token_type', ARRAY, [INT32, kinds]],
    ['tokenizer.ggml.merges', ARRAY, [STRING, ['a b']]],
    ['tokenizer.ggml.bos_token_id', UINT32, 1],
    ['tokenizer.ggml.eos_token_id', UINT32, 2],
    ['tokenizer.ggml.padding_token_id', UINT32, 0],
    ['tokenizer.ggml.add_bos_token', BOOL, false],
  ];
}

class Writer {
  length = 0;
  readonly #parts: Uint8Array[] = [];

  bytes(part: Uint8Array): void {
    this.#parts.push(part);
    this.length += part.length;
  }

  uint32(value: number): void {
    this.bytes(new Uint8Array(Uint32Array.of(value).buffer));
  }

  uint64(value: number): void {
    this.bytes(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  }

  string(text: string): void {
    const encoded = new TextEncoder().encode(text);
    this.uint64(encoded.length);
    this.bytes(encoded);
  }

  value(type: number, value: unknown): void {
    if (type === STRING) this.string(value as string);
    else if (type === BOOL) this.bytes(Uint8Array.of(Number(value)));
    else if (type === FLOAT32) this.bytes(new Uint8Array(Float32Array.of(value as number).buffer));
    else if (type === ARRAY) this.array(...(value as [number, readonly unknown[]]));
    else this.uint32(value as number);
  }

  joined(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  private array(type: number, values: readonly unknown[]): void {
    this.uint32(type);
    this.uint64(values.length);
    for (const value of values) this.value(type, value);
  }
}

function floats({ name, dims }: TensorEntry, seed: number): Uint8Array {
  const { data } = noise(seed, dims, name.endsWith('bias') ? 0.1 : 0.2, name.endsWith('bias') ? 0 : 1);
  return new Uint8Array(data.buffer);
}

/** Nibbles are the sum of two even numbers of 0…7 and 1, so their middle is 8; xorshift32 makes eight at a time. */
function blocks({ dims }: TensorEntry, seed: number): Uint8Array {
  const count = dims.reduce((a, b) => a * b, 1) / BLOCK;
  const bytes = new Uint8Array(count * BLOCK_BYTES);
  const view = new DataView(bytes.buffer);
  const scale = toFloat16(1 / (SPREAD * Math.sqrt(3 * (dims[0] as number))));
  let state = 0x9e3779b9 ^ (seed + 1);
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0x77777777;
  };
  for (let block = 0, at = 0; block < count; block++, at += BLOCK_BYTES) {
    view.setUint16(at, scale, true);
    for (let i = 2; i < BLOCK_BYTES; i += 4) view.setUint32(at + i, random() + random() + 0x11111111, true);
  }
  return bytes;
}
