import * as assert from 'uvu/assert';

/** Where changes are checked, machines do other work, and may be slower: a bound by time is so many times as wide, wherever there is one. */
export const SPARE = process.env.CI ? 10 : 1;

/** What was measured is within the bound that is asked for. */
export function isWithin(what: string, asked: number, found: number): void {
  assert.ok(found <= SPARE * asked, `${what}: ${found} is more than ${SPARE * asked}`);
}

/** Other work on a machine makes times longer, never shorter: of some tries one must be within the bound. */
export async function within(what: string, asked: number, measure: () => Promise<number>, tries = 5): Promise<void> {
  const found: number[] = [];
  while (found.length < tries && !(Math.min(...found) <= SPARE * asked)) found.push(await measure());
  console.log(`      ${what}: ${found.map((each) => each.toFixed(1)).join(' ')}, asked ${asked}`);
  isWithin(what, asked, Math.min(...found));
}
