import { timeOfPages } from '../../bench/studio/processor-times.js';
import type { Browser, Page } from './studio-page.js';

/** Milliseconds after which the page's workers have started. */
const REST = 1500;

/** Milliseconds from when the page has the files to the first frame that shows the model. */
export interface Drawn {
  readonly clock: number;
  /** Of all threads of the browser's pages. */
  readonly processor: number;
}

/** Opens files in a page that has been open for a while, as it is when people drop something. */
export async function drawFirst(page: Page, paths: readonly string[]): Promise<Drawn> {
  const browser = page.context().browser() as Browser;
  await page.waitForTimeout(REST);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  const asked = await chooser;
  const before = await timeOfPages(browser);
  await asked.setFiles([...paths]);
  const clock = await page.evaluate<number>(`new Promise((resolve) => {
    const ask = () => {
      const [begun] = performance.getEntriesByName('files given');
      const [drawn] = performance.getEntriesByName('drawn');
      if (drawn) resolve(drawn.startTime - begun.startTime);
      else setTimeout(ask, 5);
    };
    ask();
  })`);
  return { clock, processor: (await timeOfPages(browser)) - before };
}
