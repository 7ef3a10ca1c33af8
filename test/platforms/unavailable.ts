import { skipped } from '../skipped.js';

/** Says what is left out, and why; where all platforms are required, that is a failure. */
export function unavailable(complaint: string): undefined {
  if (process.env.SARDONYX_PLATFORMS || process.env.CI) throw new Error(complaint);
  return skipped(complaint);
}
