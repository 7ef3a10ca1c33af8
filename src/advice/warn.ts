import { warnOnce } from '../base/warn-once.js';
import type { Say } from './hinted.js';
import { loadAdvice } from './load.js';

/** Warns, once, in the words that advice has for it, or in these where it cannot be loaded; of '' not at all. */
export async function adviseOnce(short: string, say: Say): Promise<void> {
  const advice = await loadAdvice().catch(() => undefined);
  const text = advice ? say(advice, short) : short;
  if (text) warnOnce(text);
}
