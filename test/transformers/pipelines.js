// The program under test, as anybody would write it for transformers.js.
import { env, InterruptableStoppingCriteria, pipeline, TextStreamer } from '@huggingface/transformers';

const TEXTS = ['The cat sat on the mat.', 'A small dog ran home!', 'cats and dogs'];

/** What the two models make of some texts, and which runtime computed it. */
export async function runPipelines(localModelPath, device) {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = localModelPath;
  env.useBrowserCache = false;

  const options = { dtype: 'fp32', local_files_only: true, ...(device && { device }) };
  const extract = await pipeline('feature-extraction', 'encoder', options);
  const states = await extract(TEXTS[0]);
  const pooled = await extract(TEXTS, { pooling: 'mean', normalize: true });
  const generate = await pipeline('text-generation', 'decoder', options);
  const [{ generated_text: text }] = await generate('the cat sat', { max_new_tokens: 40, do_sample: false });
  const batch = await generate(['the cat', 'a dog in the house'], { max_new_tokens: 12, do_sample: false });
  const inputs = generate.tokenizer('the cat sat in the');
  const { logits } = await generate.model(inputs);
  const sequences = await generate.model.generate({ ...inputs, max_new_tokens: 24, do_sample: false });
  const streamed = [];
  const stop = new InterruptableStoppingCriteria();
  const streamer = new TextStreamer(generate.tokenizer, {
    skip_prompt: true,
    callback_function: (piece) => streamed.push(piece) === 3 && stop.interrupt(),
  });
  await generate('the cat sat', { max_new_tokens: 40, do_sample: false, streamer, stopping_criteria: stop });
  const results = {
    versions: env.backends.onnx.versions,
    states: { dims: states.dims, data: [...states.data] },
    pooled: { dims: pooled.dims, data: [...pooled.data] },
    logits: { dims: logits.dims, data: [...logits.data] },
    tokens: sequences.tolist()[0].map(Number),
    texts: [text, ...batch.map(([{ generated_text }]) => generated_text), ...streamed],
  };
  await extract.dispose();
  await generate.dispose();
  return results;
}
