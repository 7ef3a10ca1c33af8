const special = (tokens: readonly string[]) =>
  tokens.map((content, id) => ({
    ...{ id, content, special: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  }));

const SPECIAL = ['<pad>', '<s>', '</s>'];

/** Bytes as byte-level BPE writes them: printable ones as they are, the others beyond 255. */
const BYTES = ((): readonly string[] => {
  const isPrintable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let others = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : others++));
})();

/** Each byte is a token; the vocabulary is filled up with words, which no text becomes, but which can be said. */
export const vocabularyOf = (size: number, specialTokens: readonly string[] = SPECIAL): readonly string[] => {
  const known = [...specialTokens, ...BYTES];
  return Array.from({ length: size }, (_, i) => known[i] ?? `Ġ${i.toString(36)}`);
};

/** The files of a byte-level tokenizer with that many tokens, of which 0 pads, 1 begins and 2 ends. */
export const byteTokenizer = (size: number, most: number, added: readonly string[] = []) => ({
  'tokenizer.json': {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special([...SPECIAL, ...added]),
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      unk_token: null,
      vocab: Object.fromEntries(vocabularyOf(size, [...SPECIAL, ...added]).map((token, id) => [token, id])),
      merges: [],
    },
  },
  'tokenizer_config.json': {
    tokenizer_class: 'GPT2Tokenizer',
    model_max_length: most,
    ...{ bos_token: '<s>', eos_token: '</s>', pad_token: '<pad>' },
  },
});
