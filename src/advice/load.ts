import { atHandOr } from '../base/at-hand.js';

/** Fails in a service worker, which cannot import modules on demand. */
export const loadAdvice = () => atHandOr('advice', () => import('./index.js'));
