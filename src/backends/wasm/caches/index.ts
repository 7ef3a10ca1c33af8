// Outputs that stay in linear memory, since they are likely to be fed again: loaded with the models that have such.
import type { Engine } from '../../../../bindings/engine.js';
import { Caches } from './caches.js';
import { findCaches } from './find-caches.js';

export interface Caching {
  readonly caches: Caches;
  /** Rows that caches have room for from the start. */
  leastRows: number;
  readonly find: typeof findCaches;
}

export const cachingOf = (engine: Engine): Caching => ({
  caches: new Caches(engine),
  leastRows: 64,
  find: findCaches,
});
