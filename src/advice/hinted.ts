import { atHandOr } from '../at-hand.js';
import { type SardonyxError, withHint } from '../errors.js';

/** Says the complaint better, with words that are loaded only then. */
export type Say = (advice: typeof import('./index.js'), complaint: string) => string;

/** A service worker forbids it. */
export const loadAdvice = () => atHandOr('advice', () => import('./index.js'));

/** The error, for whose complaint advice will have better words where there is time to load it. */
export const hinted = (error: SardonyxError, say: Say): SardonyxError =>
  withHint(error, async (complaint) => say(await loadAdvice(), complaint));
