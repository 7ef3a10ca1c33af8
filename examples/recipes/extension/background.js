import { imageTensor } from 'sardonyx/image';
import { InferenceSession } from 'sardonyx/inline'; // Contains everything: service workers cannot load code on demand.
import { softmax, topK } from 'sardonyx/tensors';

/** As in the model's training: imagenet, signed, unit … */
const NORMALIZATION = 'unit';

/** The browser stops an idle service worker; when it starts again, the model is loaded again. */
const session = InferenceSession.create(chrome.runtime.getURL('model.onnx'));
session.catch(() => {}); // classify() reports it.

/** @param {string} image a data: URL; other URLs need `host_permissions` */
async function classify(image) {
  const model = await session;
  const pixels = await imageTensor(image, { for: model, normalize: NORMALIZATION });
  const results = await model.run({ [model.inputNames[0]]: pixels });
  return topK(softmax(results[model.outputNames[0]]), 3)[0];
}

chrome.runtime.onMessage.addListener(({ image }, _sender, respond) => {
  classify(image).then(
    (classes) => respond({ classes }),
    (error) => respond({ error: error.message }),
  );
  return true; // The response is asynchronous.
});
