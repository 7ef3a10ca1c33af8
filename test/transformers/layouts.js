// What pipelines make of models in the layouts that are published, as anybody would ask them.
import { env, pipeline, RawImage } from '@huggingface/transformers';

const sound = Float32Array.from({ length: 16000 }, (_, i) => Math.sin(i / 9 + (i / 800) ** 2));
const picture = new RawImage(
  Uint8ClampedArray.from({ length: 3 * 40 * 30 }, (_, i) => (i * 7919) % 251),
  40,
  30,
  3,
);

const values = ({ dims, data }) => ({ dims, data: [...data] });

/** A pipeline's answer as plain data, by task. */
const ASK = {
  'text-generation': (generate) => generate('a cat', { max_new_tokens: 16, do_sample: false }),
  'automatic-speech-recognition': (transcribe) => transcribe(sound, { max_new_tokens: 12 }),
  'feature-extraction': async (extract) =>
    values(await extract(['a cat', 'dogs and mats'], { pooling: 'mean', normalize: true })),
  'text-classification': (classify) => classify(['a cat', 'dogs and mats'], { top_k: null }),
  'image-to-text': (caption) => caption(picture, { max_new_tokens: 10, do_sample: false }),
  'zero-shot-image-classification': (classify) => classify(picture, ['zebra', 'yak', 'a big house']),
  'object-detection': (detect) => detect(picture, { threshold: 0, percentage: true }),
};

/** Asks `{ model, task, dtype }` one after the other. */
export async function askLayouts(localModelPath, questions, device) {
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath, useBrowserCache: false });
  const answers = {};
  for (const { model, task, dtype } of questions) {
    const ask = await pipeline(task, model, { dtype, local_files_only: true, ...(device && { device }) });
    answers[`${model}, ${dtype}`] = await ASK[task](ask);
    await ask.dispose();
  }
  return { versions: env.backends.onnx.versions, answers };
}
