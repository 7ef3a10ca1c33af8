const special = (content: string, id: number) => ({
  ...{ id, content, special: true },
  ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
});

const SPECIAL = ['<pad>', '<s>', '</s>'];

/** Bytes as byte-level BPE writes them: printable ones as they are, the others beyond 255. */
const BYTES = ((): readonly string[] => {
  const isPrintable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let others = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : others++));
})();

/**
 * Tokens that pad, begin and end, one for each byte, words, which no text becomes, but which can be said, and `last`, which are
 * special too.
 */
export const vocabularyOf = (size: number, last: readonly string[] = []): readonly string[] => {
  const known = [...SPECIAL, ...BYTES];
  const words = Array.from({ length: size - last.length }, (_, i) => known[i] ?? `Ġ${i.toString(36)}`);
  return [...words, ...last];
};

export interface TokenizerOptions {
  /** Special tokens at the end of the vocabulary. */
  readonly last?: readonly string[];
  readonly tokenizer?: string;
}

/** The files of a byte-level tokenizer with that many tokens, for texts of at most so many. */
export function byteTokenizer(
  size: number,
  most: number,
  { last = [], tokenizer = 'GPT2Tokenizer' }: TokenizerOptions = {},
): Record<string, object> {
  const tokens = vocabularyOf(size, last);
  return {
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: [...SPECIAL.map(special), ...last.map((token, i) => special(token, size - last.length + i))],
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
      post_processor: null,
      decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
      model: {
        type: 'BPE',
        unk_token: null,
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        merges: [],
      },
    },
    'tokenizer_config.json': {
      tokenizer_class: tokenizer,
      model_max_length: most,
      ...{ bos_token: '<s>', eos_token: '</s>', pad_token: '<pad>' },
    },
  };
}
