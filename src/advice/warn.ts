import { warnOnce } from '../base/warn-once.js';
import type { Say } from './hinted.js';
import { loadAdvice } from './load.js';

/** Warns once with the text that `say` returns, or with `short` where advice cannot be loaded. An empty text is no warning. */
export async function adviseOnce(short: string, say: Say): Promise<void> {
  const advice = await loadAdvice().catch(() => undefined);
  const text = advice ? say(advice, short) : short;
  if (text) warnOnce(text);
}
