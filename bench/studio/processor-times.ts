import type { Browser, Page } from '../../studio/node_modules/playwright-core/index.js';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Processor milliseconds: in tasks of threads with a given name, and in all threads of the browser's pages. */
export interface Times {
  readonly thread: number;
  readonly pages: number;
}

/** Processor times of a page's work; wall time is unreliable on a machine with other load. */
export async function processorTimes(page: Page, thread: RegExp, work: () => Promise<unknown>): Promise<Times> {
  const browser = page.context().browser() as Browser;
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
  const before = await timeOfPages(browser);
  await work();
  const after = await timeOfPages(browser);
  const events: TraceEvent[] = JSON.parse(String(await browser.stopTracing())).traceEvents;
  return { thread: timeOf(events, thread), pages: after - before };
}

function timeOf(events: readonly TraceEvent[], thread: RegExp): number {
  const placeOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const named = events.filter(({ name, args }) => name === 'thread_name' && thread.test(args?.name ?? ''));
  const places = new Set(named.map(placeOf));
  const tasks = events.filter((event) => event.name === 'RunTask' && places.has(placeOf(event)));
  if (tasks.length === 0) throw new Error(`the trace has no task of a thread ${thread}`);
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
}

/** Processor milliseconds that a browser's pages have used, in all threads. */
export async function timeOfPages(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  return pages.reduce((sum, { cpuTime }) => sum + cpuTime, 0) * 1000;
}
