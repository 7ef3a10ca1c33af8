import type { Page } from './studio-page.js';

/** Watches the main thread; what comes back tells the tasks over 50 ms since, in milliseconds. */
export async function longTasksOf(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
    }).observe({ type: 'longtask' });
  });
  return () => page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
}
