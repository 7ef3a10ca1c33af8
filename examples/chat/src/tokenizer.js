// Byte-level byte-pair encoding for tokenizer.json files such as GPT-2's.

const PIECES = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const PRINTABLE = ['!~', '¡¬', '®ÿ'].flatMap(([from, to]) => range(from.charCodeAt(0), to.charCodeAt(0)));

/** The letter for each byte: itself if it is printable, otherwise a letter from 256 on. */
const LETTERS = lettersOfBytes();
const BYTES = new Map(LETTERS.map((letter, byte) => [letter, byte]));

function lettersOfBytes() {
  const printed = new Set(PRINTABLE);
  let next = 256;
  return range(0, 255).map((byte) => String.fromCharCode(printed.has(byte) ? byte : next++));
}

/**
 * @typedef {object} Tokenizer
 * @property {(text: string) => number[]} encode
 * @property {() => (id: number) => string} decoder  the text that each token adds; a character of several tokens comes with the last
 */

/** @param {{ model: { vocab: Record<string, number>, merges: string[] } }} file  @returns {Tokenizer} */
export function tokenizerOf({ model: { vocab, merges } }) {
  const ranks = new Map(merges.map((merge, rank) => [merge, rank]));
  const tokens = new Map(Object.entries(vocab).map(([token, id]) => [id, token]));
  const pieces = new Map();
  const encodePiece = (piece) => {
    if (!pieces.has(piece))
      pieces.set(
        piece,
        merged(spelled(piece), ranks).map((token) => vocab[token]),
      );
    return pieces.get(piece);
  };
  return {
    encode: (text) => (text.match(PIECES) ?? []).flatMap(encodePiece),
    decoder: () => {
      const utf8 = new TextDecoder();
      return (id) => utf8.decode(bytesOf(tokens.get(id) ?? ''), { stream: true });
    },
  };
}

const spelled = (piece) => Array.from(new TextEncoder().encode(piece), (byte) => LETTERS[byte]);

/** Special tokens add no text. */
const bytesOf = (token) => {
  const bytes = Array.from(token, (letter) => BYTES.get(letter));
  return token.startsWith('<|') && token.endsWith('|>') ? new Uint8Array() : Uint8Array.from(bytes);
};

/** Merges all pairs of the lowest rank, until no pair has a rank. */
function merged(word, ranks) {
  for (;;) {
    const best = word
      .slice(1)
      .reduce((least, token, i) => Math.min(least, ranks.get(`${word[i]} ${token}`) ?? Infinity), Infinity);
    if (best === Infinity) return word;
    word = joined(word, (a, b) => ranks.get(`${a} ${b}`) === best);
  }
}

function joined(word, belong) {
  const result = [];
  for (let i = 0; i < word.length; i++) {
    const pair = i + 1 < word.length && belong(word[i], word[i + 1]);
    result.push(pair ? word[i] + word[++i] : word[i]);
  }
  return result;
}
