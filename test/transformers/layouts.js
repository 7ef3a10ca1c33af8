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
import { converse } from './conversation.js';

const sound = Float32Array.from({ length: 16000 }, (_, i) => Math.sin(i / 9 + (i / 800) ** 2));
const picture = (width, height) =>
  new RawImage(
    Uint8ClampedArray.from({ length: 3 * width * height }, (_, i) => (i * 7919) % 251),
    width,
    height,
    3,
  );

const values = ({ dims, data }) => ({ dims, data: [...data] });

/** What is not asked by a pipeline of its own. */
const LOAD = {
  conversation: (name, options) => pipeline('text-generation', name, options),
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

/** RT-DETR's queries are in the order of their scores, in which the last bits decide between those that are alike. */
const fromLeftToRight = (found) => found.sort((a, b) => a.box.xmin - b.box.xmin);

/** The answer of what was loaded, as plain data, by task. */
const ASK = {
  'text-generation': (generate) => generate('a cat', { max_new_tokens: 16, do_sample: false }),
  conversation: converse,
  'automatic-speech-recognition': (transcribe) => transcribe(sound, { max_new_tokens: 12 }),
  'feature-extraction': async (extract) =>
    values(await extract(['a cat', 'dogs and mats'], { pooling: 'mean', normalize: true })),
  'text-classification': (classify) => classify(['a cat', 'dogs and mats'], { top_k: null }),
  'image-to-text': (caption, seen) => caption(seen, { max_new_tokens: 10, do_sample: false }),
  'zero-shot-image-classification': (classify, seen) => classify(seen, ['zebra', 'yak', 'a big house']),
  'object-detection': async (detect, seen) => {
    const found = await detect(seen, { threshold: 0, percentage: true });
    return detect.model.config.model_type === 'rt_detr' ? fromLeftToRight(found) : found;
  },
  'text-to-speech': async ({ tokenizer, model }) => {
    const style = new Tensor(
      'float32',
      Float32Array.from({ length: 32 }, (_, i) => Math.sin(i)),
      [1, 32],
    );
    const { waveform } = await model({ ...tokenizer('a cat'), style, speed: new Tensor('float32', [1], [1]) });
    return values(waveform);
  },
  'mask-generation': async ({ processor, model }, seen) => {
    const inputs = await processor(seen, {
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

/**
 * The answers to questions, asked one after the other: `{ model, task, dtype }`, and `device`, or what transformers.js takes where these
 * are left out. Pictures of the `side` that the model sees are not scaled, which browsers do as they like.
 */
export async function askLayouts(localModelPath, questions) {
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath, useBrowserCache: false });
  const answers = [];
  for (const { model, task, dtype, device, side } of questions) {
    const options = { local_files_only: true, ...(dtype && { dtype }), ...(device && { device }) };
    const loaded = await (LOAD[task]?.(model, options) ?? pipeline(task, model, options));
    answers.push(await ASK[task](loaded, side ? picture(side, side) : picture(40, 30)));
    await loaded.dispose();
  }
  return { versions: env.backends.onnx.versions, answers };
}
