import { env, InferenceSession } from '../../src/onnxruntime/index.js';
import { sessionContract } from '../session/contract.js';
import { buildPackage } from '../worker/session-worker.js';
import { DIFFERENCES } from './differences.js';

sessionContract({
  name: 'sardonyx/onnxruntime with env.wasm.proxy',
  async create(model, options) {
    env.wasm.proxy = true;
    try {
      return await InferenceSession.create(model, options as InferenceSession.SessionOptions);
    } finally {
      env.wasm.proxy = false;
    }
  },
  skip: DIFFERENCES,
  before: buildPackage,
  shares: { quick: 0, ci: 1 / 3 },
});
