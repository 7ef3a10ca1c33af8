export type { VerifiedOutput } from './finding.js';
export { verifyModels } from './verify-models.js';
export type { Verification, VerifyOptions, VerifyProgress } from './verify-trials.js';
export { type Bounds, isWithin } from './within.js';
