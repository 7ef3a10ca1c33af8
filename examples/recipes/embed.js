// node embed.js MODEL TOKENIZER TEXT TEXT…
import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'sardonyx';

/** The model's maximum sequence length. */
const MAX_TOKENS = 512;

const [model, tokenizerFile, ...texts] = process.argv.slice(2);
if (texts.length < 2) throw new Error('usage: node embed.js MODEL TOKENIZER TEXT TEXT…');

const tokenizer = new Tokenizer(JSON.parse(await readFile(tokenizerFile, 'utf8')), {});
const session = await InferenceSession.create(model);
try {
  const [first, ...others] = await embed(texts);
  const similarity = (/** @type {Float64Array} */ vector) => vector.reduce((sum, x, i) => sum + x * first[i], 0);
  for (const [i, vector] of others.entries()) console.log(`${similarity(vector).toFixed(6)}  ${texts[i + 1]}`);
} finally {
  await session.release();
}

/**
 * A vector of length 1 for each text: the mean of its token embeddings, without padding.
 * @param {string[]} texts
 */
async function embed(texts) {
  const tokens = texts.map((text) => truncate(tokenizer.encode(text).ids));
  const dims = [tokens.length, Math.max(...tokens.map(({ length }) => length))];
  const padded = (/** @type {(ids: number[]) => number[]} */ entries) =>
    new Tensor(
      'int64',
      tokens.flatMap((ids) => [...entries(ids), ...Array(dims[1] - ids.length).fill(0)]).map(BigInt),
      dims,
    );
  /** @type {Record<string, Tensor>} */
  const feeds = {
    input_ids: padded((ids) => ids),
    attention_mask: padded((ids) => ids.map(() => 1)),
    token_type_ids: padded((ids) => ids.map(() => 0)),
  };
  const known = session.inputNames.map((name) => [name, feeds[name]]);
  const results = await session.run(Object.fromEntries(known));
  const {
    data,
    dims: [, length, width],
  } = /** @type {Tensor<'float32'>} */ (results[session.outputNames[0]]);
  return tokens.map((ids, row) => {
    const vector = new Float64Array(width);
    for (let i = 0; i < ids.length * width; i++) vector[i % width] += data[row * length * width + i];
    const norm = Math.hypot(...vector);
    return vector.map((x) => x / norm);
  });
}

/** Keeps the last token, which marks the end. @param {number[]} ids */
function truncate(ids) {
  return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), ...ids.slice(-1)];
}
