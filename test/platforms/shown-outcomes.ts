import * as assert from 'uvu/assert';
import type { Browser } from './chromium.js';
import type { Server } from './framework-app.js';

/** What app/outcomes.js finds: how far off the outputs are in each way to run, and how many threads joined. */
type Outcomes = Readonly<Record<string, { readonly error: number; readonly threads: number }>>;

const WAYS = ['main', 'rare', 'worker', 'pool'];

export function allAgree(found: Outcomes, threads: number, ways = WAYS): void {
  assert.equal(Object.keys(found), ways, JSON.stringify(found));
  for (const way of ways) assert.ok((found[way]?.error as number) <= 1e-5, `${way}: ${JSON.stringify(found)}`);
  assert.is(found.main?.threads, threads);
}

/** What a page writes into its <output>. */
export async function shownAt(address: string, browser: Pick<Browser, 'newPage'>): Promise<Outcomes> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message ?? ''));
  page.on('console', (message) => complaints.push(message.text?.() ?? ''));
  try {
    await page.goto(address);
    await page.waitForSelector('output:not(:empty)');
    return JSON.parse(await page.evaluate<string>("document.querySelector('output').textContent"));
  } catch (error) {
    throw new Error(`${(error as Error).message}; the page said\n${complaints.join('\n')}`);
  } finally {
    await page.close();
  }
}

/** The server's own sessions, at `route`, have two threads; those of the page, which is not isolated, one. */
export async function expectServed(server: Server, browser: Browser, route: string): Promise<void> {
  try {
    const response = await fetch(`${server.address}/${route}`);
    const text = await response.text();
    assert.ok(response.ok, text);
    allAgree(JSON.parse(text), 2);
    allAgree(await shownAt(server.address, browser), 1);
  } catch (error) {
    throw new Error(`${(error as Error).message}; the server said\n${server.output()}`);
  } finally {
    await server.stop();
  }
}
