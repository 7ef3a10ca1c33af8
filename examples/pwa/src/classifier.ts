import { env, InferenceSession, Tensor } from 'sardonyx/worker';
import modelUrl from '../../digits/model.onnx?url';
import { SIDE } from './rasterize.js';

env.wasm.numThreads = 1; // So small a model gains nothing from more, and the kernels for more are not kept.

/** The probabilities of the ten digits. */
export type Classifier = (pixels: Float32Array) => Promise<Float32Array>;

/** The session runs in a worker: the page stays responsive, whatever the model. */
export async function createClassifier(onProgress: (share: number) => void): Promise<Classifier> {
  const session = await InferenceSession.create(modelUrl, {
    onProgress: ({ loaded, total }) => onProgress(total ? loaded / total : 0),
  });
  return async (pixels) => {
    const image = new Tensor('float32', pixels, [1, 1, SIDE, SIDE]);
    const { probabilities } = await session.run({ image });
    return (probabilities as Tensor).data as Float32Array;
  };
}
