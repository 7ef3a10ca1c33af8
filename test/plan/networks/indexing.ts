import type { Network } from './network.js';

export const INDEXING: Readonly<Record<string, Network>> = {};
