// A conversation: spoken word by word, interrupted, and continued on the same cache.
import { cat, InterruptableStoppingCriteria, ones_like, TextStreamer } from '@huggingface/transformers';

const INTERRUPTED_AFTER = 6;

/** What a text-generation pipeline says with and without the cache of what was said before. */
export async function converse({ tokenizer, model }) {
  const greedily = { max_new_tokens: 12, do_sample: false, return_dict_in_generate: true };
  const [pieces, tokens] = [[], []];
  const stopping_criteria = new InterruptableStoppingCriteria();
  const streamer = new TextStreamer(tokenizer, {
    skip_prompt: true,
    callback_function: (piece) => pieces.push(piece),
    token_callback_function: (said) => tokens.push(...said) >= INTERRUPTED_AFTER && stopping_criteria.interrupt(),
  });
  let said = await model.generate({ ...tokenizer('a cat'), ...greedily, streamer, stopping_criteria });
  const turns = [{ said: said.sequences.tolist()[0].map(Number), tokens: tokens.map(Number), pieces }];
  for (const text of [' and a dog', ', or two', '?']) {
    const input_ids = cat([said.sequences, tokenizer(text, { add_special_tokens: false }).input_ids], 1);
    const inputs = { input_ids, attention_mask: ones_like(input_ids), ...greedily };
    const anew = await model.generate(inputs);
    said = await model.generate({ ...inputs, past_key_values: said.past_key_values });
    turns.push({ said: said.sequences.tolist()[0].map(Number), anew: anew.sequences.tolist()[0].map(Number) });
  }
  return turns;
}
