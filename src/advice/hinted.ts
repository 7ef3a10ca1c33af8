import { type SardonyxError, withHint } from '../base/errors.js';

/** Turns a short complaint into a longer one with the module of advice, which is loaded only after an error. */
export type Say = (advice: typeof import('./index.js'), complaint: string) => string;

/** The error with a hint, which `advised` turns into a longer message where it can wait for advice to load. */
export const hinted = (error: SardonyxError, say: Say): SardonyxError => withHint(error, say);
