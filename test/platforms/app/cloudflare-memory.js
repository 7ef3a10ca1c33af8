import { env, InferenceSession, Tensor } from 'sardonyx';
import kernels from 'sardonyx/sardonyx.simd.wasm';

env.wasm.source = kernels;
let session;

/** Runs the model at `?model=` on an image of zeros; without one, does nothing. */
export default {
  async fetch({ url }) {
    const model = new URL(url).searchParams.get('model');
    if (!model) return new Response();
    session ??= InferenceSession.create(model);
    const image = new Tensor('float32', new Float32Array(3 * 224 * 224), [1, 3, 224, 224]);
    const ready = await session;
    await ready.run({ [ready.inputNames[0]]: image });
    return new Response();
  },
};
