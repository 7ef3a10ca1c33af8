import { type Hint, loadAdvice } from '../errors.js';
import { warnOnce } from '../session/threads.js';

/** Warns, once, in the words that the hint has for it, or in these where it cannot be loaded; of '' not at all. */
export async function adviseOnce(short: string, hint: Hint): Promise<void> {
  const advice = await loadAdvice();
  const text = advice ? hint(advice, short) : short;
  if (text) warnOnce(text);
}
