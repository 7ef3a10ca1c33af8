import * as api from 'sardonyx';
import kernels from 'sardonyx/sardonyx.simd.wasm';
import { check } from './check.js';
import example from './example.json';
import model from './model.onnx';

export default {
  async test() {
    const refusal = await api.InferenceSession.create(model).catch(({ code, message }) => ({ code, message }));
    api.env.wasm.source = kernels;
    console.log(
      JSON.stringify({
        refusal,
        module: await check(api, model, example, 0),
        path: await check(api, 'model.onnx', example, 0),
      }),
    );
  },
};
