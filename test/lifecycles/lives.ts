// How sessions live and end, on whichever platform: lifecycles.test.ts runs it in Node, platforms/browsers.test.ts in pages.

interface Session {
  run(feeds: object, options?: { signal?: AbortSignal }): Promise<object>;
  release(): Promise<void>;
}

type Options = { readonly intraOpNumThreads?: number; readonly signal?: AbortSignal; readonly onProgress?: () => void };

/** What opens a session, in each of the ways that there are. */
export interface Openers {
  readonly session: (model: Uint8Array, options: Options) => Promise<Session>;
  readonly worker: (model: Uint8Array, options: Options) => Promise<Session>;
  readonly pool: (model: Uint8Array, options: Options) => Promise<Session>;
}

export type Kind = keyof Openers;

/** What a platform lets be counted. */
export interface Watch {
  /** Names all that is made from now on. */
  begin(life: string): void;
  /** Ends the workers that have been started since `begin`, as a platform does that runs out of memory. */
  kill(): Promise<void>;
  collect(): Promise<void>;
  /** For each life: its workers that work, and objects that stand for a worker or a memory, as far as they are there. */
  left(): Readonly<Record<string, Left>>;
}

export interface Left {
  readonly workers: number;
  readonly objects: number;
}

export interface Example {
  readonly model: Uint8Array;
  readonly feeds: object;
}

type Open = (options?: Options) => Promise<Session>;
type Life = (open: Open, feeds: object, watch: Watch) => Promise<void>;

const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Aborts a create or a run once `moment` has passed; it may be too late. */
async function abortedAt(moment: () => Promise<unknown>, work: (signal: AbortSignal) => Promise<unknown>) {
  const controller = new AbortController();
  const done = work(controller.signal).catch(() => {});
  await moment();
  controller.abort();
  await done;
}

const moments = { 'at once': async () => {}, 'after a turn': turn, 'after some turns': () => turns(4) };

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

const aborting = (open: Open, moment: () => Promise<unknown>) =>
  abortedAt(moment, (signal) => open({ signal, onProgress: () => {} }));

type Lives = Readonly<Record<string, Life>>;

export const LIVES: Lives = {
  released: async (open, feeds) => {
    const session = await open();
    for (let i = 0; i < 3; i++) await session.run(feeds);
    await session.release();
  },
  'released before it has run': async (open) => (await open()).release(),
  'released while it runs, and again': async (open, feeds) => {
    const session = await open();
    await Promise.all([session.run(feeds), session.release(), session.release()]);
  },
  forgotten: async (open, feeds) => {
    const session = await open();
    for (let i = 0; i < 3; i++) await session.run(feeds);
  },
  'forgotten before it has run': async (open) => void (await open()),
  'forgotten while it runs': async (open, feeds) => {
    const run = (await open()).run(feeds);
    await run;
  },
  'a run aborted, and forgotten': async (open, feeds) => {
    const session = await open();
    await abortedAt(turn, (signal) => session.run(feeds, { signal }));
  },
  'aborted while it loads, at once': (open) => aborting(open, moments['at once']),
  'aborted while it loads, after a turn': (open) => aborting(open, moments['after a turn']),
  'aborted while it loads, after some turns': (open) => aborting(open, moments['after some turns']),
};

/** Pages do not hear that a session's worker was killed: its calls would wait for ever. */
export const KILLED: Lives = {
  'its workers killed, and forgotten': async (open, feeds, watch) => {
    const session = await open();
    await session.run(feeds);
    await watch.kill();
  },
  'its workers killed, and released': async (open, feeds, watch) => {
    const session = await open();
    await session.run(feeds);
    await watch.kill();
    await session.release();
  },
};

/** Collections until nothing is left: finalizers run between them, and threads take a while to end. */
const MOST_COLLECTIONS = 60;

const nothing = ({ workers, objects }: Left) => workers === 0 && objects === 0;

/** What is left of each life when all have ended, and garbage has been collected as often as it takes. */
export async function leftOf(
  openers: Openers,
  kind: Kind,
  intraOpNumThreads: number,
  { model, feeds }: Example,
  watch: Watch,
  lives: Lives,
): Promise<Readonly<Record<string, Left>>> {
  const threads = kind === 'pool' ? {} : { intraOpNumThreads };
  const open: Open = (options) => openers[kind](model, { ...threads, ...options });
  for (const [name, live] of Object.entries(lives)) {
    watch.begin(name);
    await live(open, feeds, watch);
  }
  watch.begin('end');
  for (let i = 0; i < MOST_COLLECTIONS; i++) {
    await watch.collect();
    if (Object.values(watch.left()).every(nothing)) break;
  }
  return Object.fromEntries(Object.entries(watch.left()).filter(([, left]) => !nothing(left)));
}
