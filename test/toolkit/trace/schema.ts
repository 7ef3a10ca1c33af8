import * as assert from 'uvu/assert';
import type { StepTiming } from '../../../src/index.js';

/** An event of a trace: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU */
export interface Event {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args: Readonly<Record<string, unknown>>;
}

export const eventsOf = (text: string): Event[] => (JSON.parse(text) as { traceEvents: Event[] }).traceEvents;

/** Fields that readers take for granted: https://github.com/google/perfetto/tree/main/src/trace_processor/importers/json */
const FIELDS: Readonly<Record<string, (event: Event) => boolean>> = {
  X: ({ ts, dur }) => Number.isFinite(ts) && ts >= 0 && Number.isFinite(dur) && (dur as number) >= 0,
  M: ({ name, args }) => /^(process|thread)_name$/.test(name) && typeof args.name === 'string' && args.name !== '',
  C: ({ args }) => Object.values(args).length > 0 && Object.values(args).every((value) => Number.isFinite(value)),
};

const nanoseconds = (us: number) => Math.round(us * 1000);

/**
 * The depth of every slice, as Perfetto stacks those of a thread: it rounds to nanoseconds, and refuses one that begins within another and
 * ends behind it.
 */
function depthsOf(events: readonly Event[]): number[] {
  const open: number[] = [];
  return events.map(({ name, ts, dur = 0 }) => {
    const [begin, end] = [nanoseconds(ts), nanoseconds(ts) + nanoseconds(dur)];
    while (open.length > 0 && (open.at(-1) as number) <= begin && !(dur === 0 && open.at(-1) === begin)) open.pop();
    assert.ok(open.length === 0 || end <= (open.at(-1) as number), `${name} ends behind what it is in`);
    open.push(end);
    return open.length - 1;
  });
}

/** What the format knows of the whole, and of an event of each phase that is written. */
const WHOLE = ['displayTimeUnit', 'traceEvents'];
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  X: ['name', 'cat', 'ph', 'ts', 'dur', 'pid', 'tid', 'args'],
  M: ['name', 'ph', 'ts', 'pid', 'tid', 'args'],
  C: ['name', 'ph', 'ts', 'pid', 'tid', 'args'],
};

type Step = Pick<StepTiming, 'operator' | 'origins' | 'milliseconds' | 'run'>;

/** Holds a trace to the format's schema, to what Perfetto makes of it, and to the steps that it is of. */
export function checkSchema(text: string, profile: readonly Step[]): void {
  const whole = JSON.parse(text) as { displayTimeUnit: string };
  assert.equal(Object.keys(whole).sort(), WHOLE);
  assert.is(whole.displayTimeUnit, 'ms');
  const events = eventsOf(text);
  for (const event of events) {
    assert.equal(Object.keys(event).sort(), KNOWN[event.ph]?.toSorted(), JSON.stringify(event));
    assert.ok(FIELDS[event.ph]?.(event), JSON.stringify(event));
    for (const id of [event.pid, event.tid]) assert.ok(Number.isInteger(id) && id >= 0 && id < 2 ** 32);
    assert.type(event.name, 'string');
  }
  const timed = events.filter(({ ph }) => ph !== 'M');
  assert.ok(
    timed.every(({ ts }, i) => i === 0 || ts >= (timed[i - 1] as Event).ts),
    'in the order of time',
  );
  const slices = events.filter(({ ph }) => ph === 'X');
  for (const tid of new Set(slices.map((each) => each.tid))) depthsOf(slices.filter((each) => each.tid === tid));
  const first = slices.filter(({ tid }) => tid === 1);
  const depths = depthsOf(first);
  const steps = first.filter((_, i) => depths[i] === 1);
  assert.equal(
    steps.map(({ name }) => name),
    profile.map(({ operator }) => operator),
  );
  assert.equal(
    steps.map(({ args }) => args.origins),
    profile.map(({ origins }) => origins.join(' ')),
  );
  for (const [i, { dur }] of steps.entries())
    assert.ok(Math.abs((dur as number) - 1000 * (profile[i] as Step).milliseconds) <= 0.0021, 'microseconds');
  assert.is(depths.filter((depth) => depth === 0).length, new Set(profile.map(({ run }) => run)).size);
}
