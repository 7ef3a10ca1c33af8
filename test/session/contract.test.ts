import { InferenceSession } from '../../src/index.js';
import { sessionContract } from './contract.js';

sessionContract({ name: 'sardonyx', create: (model, options) => InferenceSession.create(model, options) });
