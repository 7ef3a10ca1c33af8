import { createPool } from '../../src/remote/pool/index.js';
import { sessionContract } from '../session/contract.js';
import { buildPackage } from '../worker/session-worker.js';

const OF_ONE_SESSION = 'docs/workers.md: states, profiles and what the optimizer has removed are those of one session';

sessionContract({
  name: 'sardonyx/pool',
  create: (model, options = {}) =>
    createPool(model, Object.getPrototypeOf(options ?? []) === Object.prototype ? { size: 2, ...options } : options),
  skip: {
    'a profile has the steps of the runs between its beginning and its end': OF_ONE_SESSION,
    'values that the optimizer has removed are named': OF_ONE_SESSION,
    'a state goes on from run to run': OF_ONE_SESSION,
    'runs of a state that are not awaited follow each other; one that is stopped changes nothing': OF_ONE_SESSION,
    'states that cannot be are refused, and those of other sessions': OF_ONE_SESSION,
  },
  before: buildPackage,
  shares: { quick: 1 / 4, ci: 1 / 2 },
});
