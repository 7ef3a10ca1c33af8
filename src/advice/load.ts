import { atHandOr } from '../base/at-hand.js';

/** A service worker forbids it. */
export const loadAdvice = () => atHandOr('advice', () => import('./index.js'));
