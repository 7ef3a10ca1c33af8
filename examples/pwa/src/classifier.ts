import { env, InferenceSession, Tensor } from 'sardonyx/worker';
import modelUrl from '../../digits/model.onnx?url';
import { SIDE } from './rasterize.js';

env.wasm.numThreads = 1; // A model this small gains nothing from more threads, and the build omits their files.

/** The probabilities of the ten digits. */
export type Classifier = (pixels: Float32Array) => Promise<Float32Array>;

/** The session runs in a worker, so the page stays responsive. */
export async function createClassifier(onProgress: (fraction: number) => void): Promise<Classifier> {
  const session = await InferenceSession.create(modelUrl, {
    onProgress: ({ loaded, total }) => onProgress(total ? loaded / total : 0),
  });
  return async (pixels) => {
    const image = new Tensor('float32', pixels, [1, 1, SIDE, SIDE]);
    const { probabilities } = await session.run({ image });
    return (probabilities as Tensor).data as Float32Array;
  };
}
