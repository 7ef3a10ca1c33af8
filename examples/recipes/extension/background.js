import { imageTensor } from 'sardonyx/image';
import { InferenceSession } from 'sardonyx/inline'; // With all at hand: service workers load nothing on demand.
import { softmax, topK } from 'sardonyx/tensors';

/** What the model was trained on: imagenet, signed, unit … */
const NORMALIZATION = 'unit';

/** The browser ends the service worker when it is idle, and starts it anew: then the model is loaded anew. */
const session = InferenceSession.create(chrome.runtime.getURL('model.onnx'));
session.catch(() => {}); // Told to whoever asks.

/** @param {string} picture its address; pages of the extension have it as a data: URL, others need `host_permissions` */
async function classify(picture) {
  const model = await session;
  const pixels = await imageTensor(picture, { for: model, normalize: NORMALIZATION });
  const results = await model.run({ [model.inputNames[0]]: pixels });
  return topK(softmax(results[model.outputNames[0]]), 3)[0];
}

chrome.runtime.onMessage.addListener(({ picture }, _sender, answer) => {
  classify(picture).then(
    (classes) => answer({ classes }),
    (error) => answer({ error: error.message }),
  );
  return true; // The answer comes later.
});
