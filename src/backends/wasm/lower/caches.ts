// What kernels run of attention that goes by caches.
import { cachedAttentions } from './cached-attention.js';
import { lengthChecks } from './checked-lengths.js';

export const lowerings = { ...cachedAttentions, ...lengthChecks };
