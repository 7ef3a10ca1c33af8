import * as assert from 'uvu/assert';
import type { Browser } from './chromium.js';
import type { Server } from './framework-app.js';

/** What app/outcomes.js finds: how far off the outputs are in each way to run, and how many threads joined. */
type Outcomes = Readonly<Record<string, { readonly error: number; readonly threads: number }>>;

const WAYS = ['main', 'rare', 'worker', 'pool'];

/** What is wrong with them; nothing where each way has given the outputs, and the main thread's session has so many threads. */
export function disagreements(found: Outcomes, threads: number, ways = WAYS): string[] {
  const isRight = (way: string) => ways.includes(way) && (found[way]?.error as number) <= 1e-5;
  const wrong = [...new Set([...ways, ...Object.keys(found)])].filter((way) => !isRight(way));
  return [
    ...wrong.map((way) => `${way}: ${JSON.stringify(found[way])}`),
    ...(found.main?.threads === threads ? [] : [`${found.main?.threads} threads instead of ${threads}`]),
  ];
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
    assert.equal(disagreements(JSON.parse(text), 2), []);
    assert.equal(disagreements(await shownAt(server.address, browser), 1), []);
  } catch (error) {
    throw new Error(`${(error as Error).message}; the server said\n${server.output()}`);
  } finally {
    await server.stop();
  }
}
