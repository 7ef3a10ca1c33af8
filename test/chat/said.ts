import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { example, modelJson, type Runtime, type Session, type Speaker } from './example.js';

export const PROMPTS = ['In the beginning', 'In the beginning\n', 'Psalms\nThe LORD is', 'And Moses said unto'];
const TOKENS = 40;

/** Of a chapter that was held out when the model was trained. */
export const PASSAGE = `I will sing of mercy and judgment: unto thee, O LORD, will I sing.
I will behave myself wisely in a perfect way. O when wilt thou come unto me? I will walk within my house with a perfect heart.
`;

const { createSpeaker } = await example('src/speaker.js');
const { tokenizerOf } = await example('src/tokenizer.js');

export const speakerOf = (runtime: Runtime, session: Session): Speaker =>
  createSpeaker(runtime, session, { config: modelJson('config.json'), tokenizer: modelJson('tokenizer.json') });

/** What goes on from the prompt, always with the most probable token. */
export async function said(speaker: Speaker, prompt: string, tokens = TOKENS): Promise<string> {
  speaker.forget();
  speaker.hear(prompt);
  let [text, count] = ['', 0];
  for await (const piece of speaker.speak({ temperature: 0 })) {
    text += piece;
    if (++count === tokens) break;
  }
  return text;
}

/** In nats, of each token of the text after the first. */
export async function losses(runtime: Runtime, session: Session, text: string): Promise<number[]> {
  const ids = tokenizerOf(modelJson('tokenizer.json')).encode(text);
  const { logits } = (await session.run(feedsOf(runtime, ids))) as { logits: TensorValue<'float32'> };
  const size = logits.dims[2] as number;
  return ids.slice(1).map((id, i) => lossOf(logits.data.subarray(i * size, (i + 1) * size), id));
}

function lossOf(logits: Float32Array, id: number): number {
  const most = Math.max(...logits);
  return most + Math.log(logits.reduce((sum, x) => sum + Math.exp(x - most), 0)) - (logits[id] as number);
}

function feedsOf({ Tensor }: Runtime, ids: readonly number[]): Record<string, unknown> {
  const { num_hidden_layers: layers, num_key_value_heads: heads, head_dim: size } = modelJson('config.json');
  const empty = new Tensor('float32', new Float32Array(), [1, heads, 0, size]);
  const integers = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const past = Array.from({ length: layers }, (_, i) =>
    ['key', 'value'].map((part) => [`past_key_values.${i}.${part}`, empty]),
  );
  return {
    input_ids: integers(ids),
    attention_mask: integers(ids.map(() => 1)),
    ...Object.fromEntries(past.flat()),
  };
}
