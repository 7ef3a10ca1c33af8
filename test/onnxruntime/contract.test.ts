import { InferenceSession } from '../../src/onnxruntime/index.js';
import { sessionContract } from '../session/contract.js';
import { DIFFERENCES } from './differences.js';

sessionContract({
  name: 'sardonyx/onnxruntime',
  create: (model, options) => InferenceSession.create(model, options as InferenceSession.SessionOptions),
  skip: DIFFERENCES,
});
