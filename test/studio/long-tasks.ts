import type { Page } from './studio-page.js';
import { SPARE } from './within.js';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Microseconds of the thread's own time. */
  readonly tdur?: number;
  readonly args?: {
    readonly name?: string;
    readonly chrome_mojo_event_info?: { readonly mojo_interface_tag?: string };
  };
}

const MOST = 50 * SPARE;

/**
 * Watches the main thread; what comes back tells its tasks of over 50 ms, or what CI allows, once. What counts is the time that the thread itself works: on a machine
 * that does other things, time passes while it waits. What the test itself asks of the page, by the protocol of its tools, is no time of the page.
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
  const ofMains = events.filter((event) => event.ph === 'X' && mains.has(placeOf(event)));
  const tasks = ofMains.filter(({ name }) => /RunTask$/.test(name));
  if (tasks.length === 0) throw new Error('the trace has no task of the main thread');
  const asked = ofMains.filter(({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === TOOLS);
  const times = tasks.map((task) => Math.round((sum([task]) - sum(asked.filter((each) => isIn(each, task)))) / 1000));
  console.log(`      the longest task, ms: ${Math.max(...times)}`);
  return times.filter((milliseconds) => milliseconds > MOST);
}

/** The interface by which the page is asked things from outside. */
const TOOLS = 'blink.mojom.DevToolsSession';

const sum = (events: readonly TraceEvent[]): number => events.reduce((total, { tdur = 0 }) => total + tdur, 0);

const isIn = (event: TraceEvent, { pid, tid, ts, dur = 0 }: TraceEvent): boolean =>
  event.pid === pid && event.tid === tid && event.ts >= ts && event.ts < ts + dur;

const placeOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
