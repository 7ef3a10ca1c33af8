export type { Feeds, Fetches, Results, RunOptions, WarmUp } from '../worker/index.js';
export { env, SardonyxError, Tensor } from '../worker/index.js';
export { type BatchOptions, createPool, type PoolOptions, type SessionPool } from './session-pool.js';
