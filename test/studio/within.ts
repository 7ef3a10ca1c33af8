import * as assert from 'uvu/assert';

/** Where changes are checked, machines do other work, and may be slower: a bound is so many times as wide. */
const SPARE = process.env.CI ? 4 : 1;

/** Other work on a machine makes times longer, never shorter: of some tries one must be within the bound. */
export async function within(what: string, asked: number, measure: () => Promise<number>, tries = 5): Promise<void> {
  const bound = SPARE * asked;
  const found: number[] = [];
  while (found.length < tries && !(Math.min(...found) <= bound)) found.push(await measure());
  console.log(`      ${what}: ${found.map((each) => each.toFixed(1)).join(' ')}, asked ${asked}`);
  assert.ok(Math.min(...found) <= bound, `${what}: ${found} are more than ${bound}`);
}
