import type { Page } from './studio-page.js';

/** Milliseconds, by the page's own clock, from the first event of a kind from now on until all of these are in the page; asked before the event. */
export const timeUntil = (page: Page, kind: string, ...selectors: readonly string[]): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const selectors = ${JSON.stringify(selectors)};
    const watch = ({ timeStamp }) => {
      removeEventListener(${JSON.stringify(kind)}, watch, true);
      const look = () => {
        if (!selectors.every((selector) => document.querySelector(selector))) return;
        observer.disconnect();
        resolve(performance.now() - timeStamp);
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { childList: true, subtree: true });
    };
    addEventListener(${JSON.stringify(kind)}, watch, true);
  })`);
