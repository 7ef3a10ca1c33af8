import { type SardonyxError, withHint } from '../base/errors.js';

/** Says the complaint better, with words that are loaded only then. */
export type Say = (advice: typeof import('./index.js'), complaint: string) => string;

/** The error, for whose complaint advice will have better words where there is time to load it: `advised`. */
export const hinted = (error: SardonyxError, say: Say): SardonyxError => withHint(error, say);
