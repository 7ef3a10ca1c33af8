// Lowerings for attention with KV caches.
import { cachedAttentions } from './cached-attention.js';
import { lengthChecks } from './checked-lengths.js';
import { rowWriters } from './write-rows.js';

export const lowerings = { ...cachedAttentions, ...lengthChecks, ...rowWriters };
