// node classify.js MODEL PHOTO LABELS [NORMALIZATION]
import { readFile } from 'node:fs/promises';
import { InferenceSession } from 'sardonyx';
import { imageTensor } from 'sardonyx/image';
import { softmax, topK } from 'sardonyx/tensors';

const [model, photo, labelFile, normalize = 'imagenet'] = process.argv.slice(2);
if (!labelFile) throw new Error('usage: node classify.js MODEL PHOTO LABELS [NORMALIZATION]');

const labels = (await readFile(labelFile, 'utf8')).trim().split(/\r?\n/);
const session = await InferenceSession.create(model);
try {
  // Size, channels and layout come from the model's input. The rest depends on the training: torchvision resizes to 256 and keeps 224.
  const options = { normalize: /** @type {'imagenet'} */ (normalize), crop: 0.875 };
  const pixels = await imageTensor(photo, { for: session, ...options });
  const results = await session.run({ [session.inputNames[0]]: pixels });
  const [best] = topK(softmax(results[session.outputNames[0]]), 5, { labels });
  for (const { label, value } of best) console.log(`${(100 * value).toFixed(1).padStart(5)} %  ${label}`);
} finally {
  await session.release();
}
