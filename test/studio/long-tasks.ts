import type { Page } from './studio-page.js';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const MOST = 50;

/**
 * Watches the main thread; what comes back tells its tasks of over 50 ms, once. What counts is the time that the thread itself works: on a machine
 * that does other things, time passes while it waits.
 */
export async function longTasksOf(page: Page): Promise<() => Promise<number[]>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    return longOnes(events);
  };
}

function longOnes(events: readonly TraceEvent[]): number[] {
  const mains = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(placeOf),
  );
  const tasks = events.filter((event) => event.ph === 'X' && /RunTask$/.test(event.name) && mains.has(placeOf(event)));
  if (tasks.length === 0) throw new Error('the trace has no task of the main thread');
  return tasks.map(({ tdur = 0 }) => Math.round(tdur / 1000)).filter((milliseconds) => milliseconds > MOST);
}

const placeOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
