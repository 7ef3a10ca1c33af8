import type { Browser } from '../../test/platforms/chromium.js';
import { inNewBrowser, open } from './visit.js';

/** Milliseconds, one value per round. */
export interface Blocked {
  /** The longest time without a turn for the page, which includes all other work on the machine. */
  readonly gaps: number[];
  /** Processor time of the longest task of the page's thread. */
  readonly tasks: number[];
}

/** Measures how long each case of app/blocked.js blocks the page's thread, in two visits of the page. */
export async function blocked(
  launch: () => Promise<Browser>,
  address: string,
  rounds: number,
): Promise<ReadonlyMap<string, Blocked>> {
  const page = `${address}/page?script=blocked.js&policy=none&rounds=${rounds}`;
  const gaps = await inNewBrowser(launch, async (browser) =>
    open<Record<string, number[]>>(await browser.newPage(), page),
  );
  const tasks = await inNewBrowser(launch, async (browser) => {
    const traced = await browser.newPage();
    await browser.startTracing(traced, { categories: [USER_TIMING, TASKS] });
    await open(traced, `${page}&traced`);
    return longestTasks(JSON.parse(String(await browser.stopTracing())).traceEvents);
  });
  return new Map(Object.entries(gaps).map(([name, all]) => [name, { gaps: all, tasks: tasks.get(name) ?? [] }]));
}

const USER_TIMING = 'blink.user_timing';
const TASKS = 'disabled-by-default-devtools.timeline';

/** Times are in microseconds; `tdur` is processor time: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU */
interface TraceEvent {
  readonly cat: string;
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/** The longest task that overlaps each measure of the page's timeline, in processor milliseconds. */
function longestTasks(events: readonly TraceEvent[]): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>();
  const begun = events.filter(({ cat, ph }) => cat === USER_TIMING && ph === 'b');
  const ended = events.filter(({ cat, ph }) => cat === USER_TIMING && ph === 'e');
  for (const { name, pid, tid, ts: begin } of begun.sort((a, b) => a.ts - b.ts)) {
    const end = Math.min(...ended.filter((other) => other.name === name && other.ts >= begin).map(({ ts }) => ts));
    const tasks = events.filter(
      (event) => event.name === 'RunTask' && event.pid === pid && event.tid === tid && overlaps(event, begin, end),
    );
    const longest = Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
    found.set(name, [...(found.get(name) ?? []), longest]);
  }
  return found;
}

const overlaps = ({ ts, dur = 0 }: TraceEvent, begin: number, end: number) => ts < end && ts + dur > begin;
