import { InferenceSession } from '../../src/remote/worker/index.js';
import { sessionContract } from '../session/contract.js';
import { buildPackage } from './session-worker.js';

sessionContract({
  name: 'sardonyx/worker',
  create: (model, options) => InferenceSession.create(model, options),
  before: buildPackage,
  shares: { quick: 1 / 4, ci: 1 / 2 },
});
