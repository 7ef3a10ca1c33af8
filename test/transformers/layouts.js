// What pipelines make of models in the layouts that are published, as anybody would ask them.
import {
  AutoProcessor,
  AutoTokenizer,
  env,
  pipeline,
  RawImage,
  SamModel,
  StyleTextToSpeech2Model,
  Tensor,
} from '@huggingface/transformers';

const sound = Float32Array.from({ length: 16000 }, (_, i) => Math.sin(i / 9 + (i / 800) ** 2));
const picture = new RawImage(
  Uint8ClampedArray.from({ length: 3 * 40 * 30 }, (_, i) => (i * 7919) % 251),
  40,
  30,
  3,
);

const values = ({ dims, data }) => ({ dims, data: [...data] });

/** What is asked without a pipeline. */
const LOAD = {
  'text-to-speech': async (name, options) => {
    const [tokenizer, model] = await Promise.all(
      [AutoTokenizer, StyleTextToSpeech2Model].map((one) => one.from_pretrained(name, options)),
    );
    return { tokenizer, model, dispose: () => model.dispose() };
  },
  'mask-generation': async (name, options) => {
    const [processor, model] = await Promise.all(
      [AutoProcessor, SamModel].map((one) => one.from_pretrained(name, options)),
    );
    return { processor, model, dispose: () => model.dispose() };
  },
};

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
  'text-to-speech': async ({ tokenizer, model }) => {
    const style = new Tensor(
      'float32',
      Float32Array.from({ length: 32 }, (_, i) => Math.sin(i)),
      [1, 32],
    );
    const { waveform } = await model({ ...tokenizer('a cat'), style, speed: new Tensor('float32', [1], [1]) });
    return values(waveform);
  },
  'mask-generation': async ({ processor, model }) => {
    const inputs = await processor(picture, {
      input_points: [
        [
          [21, 9],
          [4, 17],
        ],
        [
          [33, 28],
          [12, 2],
        ],
      ],
      input_labels: [
        [1, 0],
        [1, 1],
      ],
    });
    const { iou_scores, pred_masks } = await model(inputs);
    const sizes = [inputs.original_sizes, inputs.reshaped_input_sizes];
    const [masks] = await processor.post_process_masks(pred_masks, ...sizes, { binarize: false });
    return [iou_scores, masks].map(values);
  },
};

/** Asks `{ model, task, dtype }` one after the other. */
export async function askLayouts(localModelPath, questions, device) {
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath, useBrowserCache: false });
  const answers = {};
  for (const { model, task, dtype } of questions) {
    const options = { dtype, local_files_only: true, ...(device && { device }) };
    const ask = await (LOAD[task]?.(model, options) ?? pipeline(task, model, options));
    answers[`${model}, ${dtype}`] = await ASK[task](ask);
    await ask.dispose();
  }
  return { versions: env.backends.onnx.versions, answers };
}
