import * as assert from 'uvu/assert';
import type { BrowserContext } from '../../studio/node_modules/playwright-core/index.js';
import type { Page } from './studio-page.js';

/** As long as a machine with other work to do may take, in milliseconds: what never comes is no matter of speed. */
export const PATIENCE = process.env.CI ? 240_000 : 60_000;

/** A context in whose pages everything is waited for as long. */
export function patient<Context extends BrowserContext>(context: Context): Context {
  context.setDefaultTimeout(PATIENCE);
  return context;
}

const isAsWanted = (found: unknown, wanted: unknown): boolean =>
  wanted instanceof RegExp ? wanted.test(`${found}`) : JSON.stringify(found) === JSON.stringify(wanted);

/** Reads until that is what is wanted, or matches it; where it never is, the last reading is what the test fails by. */
export async function comesTo<T>(read: () => Promise<T>, wanted: T | RegExp, says?: string): Promise<void> {
  const end = performance.now() + PATIENCE;
  let found = await read();
  while (!isAsWanted(found, wanted) && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = await read();
  }
  if (wanted instanceof RegExp) assert.match(`${found}`, wanted, says);
  else assert.equal(found, wanted, says);
}

/** Frames in which nothing changes: what makes them rarer makes what is waited for later. */
const QUIET = 20;

/** Until no task goes on and a part of the page stays as it is. */
export async function stays(page: Page, part: string): Promise<void> {
  await page.getByRole('banner').locator('progress').waitFor({ state: 'detached' });
  await page.evaluate(unchanged, [part, QUIET] as const);
}

async function unchanged([part, frames]: readonly [string, number]): Promise<void> {
  for (let [same, before] = [0, '']; same < frames; ) {
    await new Promise(requestAnimationFrame);
    const now = document.querySelector(part)?.outerHTML ?? '';
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

/** Until the page has drawn what a key or a click has changed. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
