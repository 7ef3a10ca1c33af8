import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cached, list, remove } from '../../src/cache/index.js';
import type { ErrorCode } from '../../src/index.js';
import type { HostValue } from '../../src/tensor/tensor-value.js';
import { KINDS, type OpenSession, open, openAnyhow, openLargest } from './open-sessions.js';
import { pick, type Subject } from './subjects.js';
import type { Tally } from './tally.js';

export interface World {
  readonly sessions: readonly OpenSession[];
  readonly subjects: readonly Subject[];
  /** Where a server has the models, by name. */
  readonly base: string;
  /** A folder for a cache that nobody else touches. */
  readonly folder: string;
  readonly tally: Tally;
  readonly random: () => number;
}

interface Activity {
  /** How often it is chosen, as a share of the sum of all. */
  readonly weight: number;
  /** Errors that may come of it. */
  readonly codes: readonly ErrorCode[];
  readonly do: (world: World) => Promise<void>;
}

/** Small models: what is done with others on the way is soon done. */
const SMALL = ['digits_cnn_trained', 'gru', 'lstm', 'iris_pipeline_trained', 'gbdt_trained'];
const smallOf = ({ subjects, random }: World) =>
  pick(
    subjects.filter(({ name }) => SMALL.includes(name)),
    random,
  );

/** A session may be renewed while others run on it. */
const RENEWED = 'RELEASED';
const MOST_MS_TO_ABORT = 60;
const LONGEST_OF_A_DAMAGED_MODEL = 2000;

async function runOn(
  world: World,
  { subject, label, session }: Pick<OpenSession, 'subject' | 'label' | 'session'>,
  signal?: AbortSignal,
): Promise<void> {
  const { feeds, expected } = subject.draw(world.random);
  const begin = performance.now();
  const results = await session.run(feeds, signal && { signal });
  world.tally.ran(label, performance.now() - begin);
  const found = subject.difference(results, expected);
  if (found) world.tally.fault('wrong', `${label}: ${found}`);
}

/** Does `work` with a signal that is given at a random moment. */
async function aborting(random: () => number, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), random() * MOST_MS_TO_ABORT);
  try {
    await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

type Draft = Record<string, HostValue>;

const MISTAKES: readonly ((feeds: Draft, name: string) => unknown)[] = [
  (feeds, name) => delete feeds[name],
  (feeds) => {
    feeds['no such input'] = { type: 'float32', dims: [1], data: new Float32Array(1) };
  },
  (feeds, name) => {
    feeds[name] = { type: 'uint16', dims: [3], data: new Uint16Array(3) };
  },
  (feeds, name) => {
    feeds[name] = { type: 'float32', dims: [2, 2, 2, 2, 2, 2], data: new Float32Array(64) };
  },
  (feeds, name) => {
    feeds[name] = { type: 'float32', dims: [7], data: new Float32Array(3) };
  },
  (feeds, name) => {
    feeds[name] = 'nothing of the kind' as never;
  },
];

const DAMAGES: readonly ((bytes: Uint8Array, random: () => number) => Uint8Array)[] = [
  (bytes, random) => bytes.slice(0, random() * bytes.length),
  (bytes, random) => bytes.fill(255 * random(), Math.floor(random() * bytes.length)),
  (bytes, random) => {
    const at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8));
    return bytes;
  },
];

export const ACTIVITIES: Readonly<Record<string, Activity>> = {
  run: { weight: 60, codes: [RENEWED], do: (world) => runOn(world, pick(world.sessions, world.random)) },
  'run twice at a time': {
    weight: 8,
    codes: [RENEWED],
    async do(world) {
      const opened = pick(world.sessions, world.random);
      const settled = await Promise.allSettled([runOn(world, opened), runOn(world, opened)]);
      for (const each of settled) if (each.status === 'rejected') throw each.reason;
    },
  },
  'run and abort': {
    weight: 12,
    codes: ['ABORTED', RENEWED],
    do: (world) => aborting(world.random, (signal) => runOn(world, pick(world.sessions, world.random), signal)),
  },
  'wrong feeds': {
    weight: 6,
    codes: ['MISSING_FEED', 'UNKNOWN_FEED', 'INVALID_TYPE', 'INVALID_SHAPE', 'INVALID_ARGUMENT', RENEWED],
    async do({ sessions, random, tally }) {
      const { subject, session, label } = pick(sessions, random);
      const feeds = { ...subject.draw(random).feeds };
      pick(MISTAKES, random)(feeds, pick(Object.keys(feeds), random));
      await session.run(feeds);
      tally.fault('wrong', `${label}: wrong feeds were taken`);
    },
  },
  renew: {
    weight: 2,
    codes: [],
    async do({ sessions, base, random }) {
      const opened = pick(sessions, random);
      const fresh = await openLargest(opened, base);
      const { session } = opened;
      opened.session = fresh;
      await session.release();
    },
  },
  'open and abort': {
    weight: 3,
    codes: ['ABORTED'],
    async do({ subjects, base, random }) {
      const [subject, kind] = [pick(subjects, random), pick(Object.keys(KINDS), random)];
      await aborting(random, async (signal) => (await openAnyhow(subject, kind, base, random, { signal })).release());
    },
  },
  'open, run and release': {
    weight: 3,
    codes: [],
    async do(world) {
      const [subject, kind] = [smallOf(world), pick(Object.keys(KINDS), world.random)];
      const session = await openAnyhow(subject, kind, world.base, world.random);
      await runOn(world, { subject, session, label: `passing ${kind} ${subject.name}` });
      await session.release();
    },
  },
  'missing model': {
    weight: 3,
    codes: ['FILE_NOT_FOUND', 'DOWNLOAD'],
    async do({ base, folder, random, tally }) {
      const place = pick([`${folder}/none.onnx`, new URL('none', base), new URL('breaks-off', base)], random);
      const kind = pick(Object.keys(KINDS), random);
      const session = await open(kind, place);
      await session.release();
      tally.fault('wrong', `${kind}: ${place} was opened`);
    },
  },
  'damaged model': {
    weight: 3,
    codes: [
      ...(['INVALID_MODEL', 'INVALID_GRAPH', 'INVALID_TYPE', 'INVALID_SHAPE', 'INVALID_ATTRIBUTE'] as const),
      ...(['INVALID_VALUE', 'INVALID_ARGUMENT', 'UNSUPPORTED_OPERATOR', 'UNSUPPORTED_TYPE'] as const),
      ...(['EXTERNAL_DATA', 'MISSING_FEED', 'UNKNOWN_FEED', 'OUT_OF_MEMORY', 'ABORTED'] as const),
      ...(['FILE_NOT_FOUND', 'FILE_UNREADABLE'] as const),
    ],
    async do(world) {
      const subject = smallOf(world);
      const bytes = pick(DAMAGES, world.random)(readFileSync(subject.path), world.random);
      const session = await open('plain', bytes);
      const signal = AbortSignal.timeout(LONGEST_OF_A_DAMAGED_MODEL);
      await session.run(subject.largest.feeds, { signal }).finally(() => session.release());
    },
  },
  cache: {
    weight: 3,
    codes: [],
    async do(world) {
      const { base, random, folder } = world;
      const subject = smallOf(world);
      const url = new URL(encodeURIComponent(subject.name), base);
      const kept = await cached(url, { folder });
      const kind = pick(Object.keys(KINDS), random);
      const session = await open(kind, kept);
      await runOn(world, { subject, session, label: `passing ${kind} ${subject.name}` });
      await session.release();
      if (!(await list({ folder })).some((file) => file.url === url.href))
        world.tally.fault('wrong', `${url} is not on the list of what is kept`);
      if (random() < 0.5) await remove(url, { folder });
    },
  },
  rest: { weight: 1, codes: [], do: ({ random }) => sleep(random() * 50) },
};
