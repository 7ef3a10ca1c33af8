import type { Page } from '../../studio/node_modules/playwright-core/index.js';

/** Times are in microseconds; `tdur` is processor time: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tdur?: number;
}

const MARK = 'the work begins';

/** Processor milliseconds of the longest task of the page's thread during `work`; wall time would include other load on the cores. */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'blink.user_timing'] });
  await page.evaluate((mark) => void performance.mark(mark), MARK);
  await work();
  const events: TraceEvent[] = JSON.parse(String(await browser?.stopTracing())).traceEvents;
  const begin = events.find(({ name }) => name === MARK);
  if (!begin) throw new Error('the trace has no mark');
  const { pid, tid, ts } = begin;
  const tasks = events.filter((e) => e.name === 'RunTask' && e.pid === pid && e.tid === tid && e.ts > ts);
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
}
