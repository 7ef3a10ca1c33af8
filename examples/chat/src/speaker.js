import { sample } from './sampling.js';
import { tokenizerOf } from './tokenizer.js';

/**
 * Generates text with a decoder. When the context is full, the first half of it is dropped.
 * @typedef {object} Speaker
 * @property {(text: string) => void} hear  appends to the text to continue
 * @property {(options?: SpeakOptions) => AsyncGenerator<string>} speak  generates tokens until the model ends the text
 * @property {() => void} forget
 * @property {() => number} length  tokens in the context
 * @property {number} context
 *
 * @typedef {{ temperature?: number, topP?: number, random?: () => number }} SpeakOptions
 */

/**
 * @param {{ Tensor: any }} runtime
 * @param {any} session  of a model in the usual layout: input_ids, attention_mask, past_key_values.0.key … to logits, present.0.key …
 * @param {{ config: any, tokenizer: any }} files  config.json and tokenizer.json
 * @returns {Speaker}
 */
export function createSpeaker({ Tensor }, session, { config, tokenizer: file }) {
  const tokenizer = tokenizerOf(file);
  const context = config.max_position_embeddings;
  const integers = (values) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const [END] = [config.eos_token_id].flat();

  /** All tokens, and how many of them are in the cache. */
  let ids = [];
  let cached = 0;
  let cache = {};
  forget();

  function forget() {
    [ids, cached, cache] = [[], 0, emptyCache(Tensor, config)];
  }

  function shorten() {
    const kept = ids.slice(-context / 2);
    forget();
    ids = kept;
  }

  /** Runs the tokens that are not in the cache yet, and returns the logits of the last one. */
  async function read() {
    if (ids.length === 0) ids.push(END);
    if (ids.length > context) shorten();
    const mask = integers(new Array(ids.length).fill(1));
    const feeds = { input_ids: integers(ids.slice(cached)), attention_mask: mask, ...cache };
    const { logits, ...present } = await session.run(feeds);
    cached = ids.length;
    cache = Object.fromEntries(Object.entries(present).map(([name, value]) => [pastOf(name), value]));
    return logits.data.subarray(-config.vocab_size);
  }

  async function* speak(options) {
    const decode = tokenizer.decoder();
    for (;;) {
      const id = sample(await read(), options);
      if (id === END) return;
      ids.push(id);
      yield decode(id);
    }
  }

  return { hear: (text) => void ids.push(...tokenizer.encode(text)), speak, forget, length: () => ids.length, context };
}

const pastOf = (present) => present.replace('present', 'past_key_values');

function emptyCache(Tensor, { num_hidden_layers: layers, num_key_value_heads: heads, head_dim: size }) {
  const names = Array.from({ length: layers }, (_, i) => [`past_key_values.${i}.key`, `past_key_values.${i}.value`]);
  return Object.fromEntries(
    names.flat().map((name) => [name, new Tensor('float32', new Float32Array(), [1, heads, 0, size])]),
  );
}
