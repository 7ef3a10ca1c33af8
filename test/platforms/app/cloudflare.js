import * as api from 'sardonyx';
import kernels from 'sardonyx/sardonyx.simd.wasm';
import { check } from './check.js';
import example from './model.json';
import model from './model.onnx';
import rareExample from './rare.json';
import rare from './rare.onnx';

export default {
  async test() {
    const refusal = await api.InferenceSession.create(model).catch(({ code, message }) => ({ code, message }));
    api.env.wasm.source = kernels;
    console.log(
      JSON.stringify({
        refusal,
        rare: await check(api, rare, rareExample, 0),
        module: await check(api, model, example, 0),
        path: await check(api, 'model.onnx', example, 0),
      }),
    );
  },
};
