import { expose, transfer } from 'comlink';
import type { HostValue, TensorValue } from 'sardonyx';
import { toChromeTrace } from 'sardonyx/model';
import { buffersOf } from '../../graph/buffers.js';
import type { ModelFiles } from '../contracts/documents.js';
import type { Feeding } from '../contracts/feeding.js';
import type { DoneRun, RunsService, ValueHead } from '../contracts/runs.js';
import { DEFAULTS } from '../contracts/settings.js';
import { captured, comparedWith, withAllOutputs } from './capturing.js';
import { ceilingOf } from './ceiling.js';
import { headOf, isTensor } from './describe.js';
import { fedPictures } from './fed-pictures.js';
import { cancel, cancellable } from './jobs.js';
import { forget, keep, keptRuns, lookOf, valuesOf } from './kept.js';
import { looksOf } from './looks.js';
import { makeFeeds } from './make-feeds.js';
import { measure, timed } from './measuring.js';
import { guiltyRewrite, rewriteAt, rewritesOf } from './rewriting.js';
import * as sessions from './sessions.js';

const service: RunsService = {
  open: (files, settings, { job }, onProgress) =>
    cancellable(job, async (signal) => sessions.hold(await sessions.create(files, settings, { signal, onProgress }))),
  close: sessions.release,
  cancel,
  run: (id, feeding, { job }, labels, replaces) =>
    cancellable(job, (signal) => run(id, feeding, signal, labels, replaces)),
  async feeds(files, feeding) {
    return sent(tensorsIn(await feedsOf(files, feeding)));
  },
  async time(id, feeding) {
    const { session } = sessions.find(id);
    const feeds = await makeFeeds(session.inputMetadata, feeding);
    return timed(() => session.run(feeds));
  },
  measure: (id, feeding, runs, { job }, onProgress) =>
    cancellable(job, async (signal) => {
      const held = sessions.find(id);
      const feeds = await makeFeeds(held.session.inputMetadata, feeding);
      return sent(await measure(held, feeds, { runs, signal, onProgress }));
    }),
  trace: ({ steps, memory }, title) => toChromeTrace(steps, { memoryPlan: memory, title }),
  ceiling: ceilingOf,
  summary: (id, name) => lookOf(id, name).summary(),
  async picture(id, name) {
    const picture = await lookOf(id, name).picture();
    return picture && sent(picture);
  },
  cells: (id, name, window) => lookOf(id, name).cells(window),
  npy: (id, name) => lookOf(id, name).npy(),
  capture: (files, settings, feeding, { job }) =>
    cancellable(job, async (signal) => {
      const held = await sessions.create(files, settings, { signal });
      try {
        return await captured(held, await makeFeeds(held.session.inputMetadata, feeding), signal);
      } finally {
        await held.session.release();
      }
    }),
  withAllOutputs,
  compare: (id, theirs, ranked, tolerance) => comparedWith(valuesOf(id), theirs, ranked, tolerance),
  rewrites: rewritesOf,
  rewriteAt,
  bisect: (files, settings, feeding, tolerance, { job }, onProgress) =>
    cancellable(job, async (signal) =>
      guiltyRewrite(files, settings, await feedsOf(files, feeding), { tolerance, signal, onProgress }),
    ),
  forget,
  held: () => ({ sessions: sessions.heldSessions(), runs: keptRuns() }),
};

/** Feeds for a model without an open session. */
async function feedsOf(files: ModelFiles, feeding: Feeding): Promise<Record<string, HostValue>> {
  const { session } = await sessions.create(files, { ...DEFAULTS, level: 'disabled', threads: 1 });
  try {
    return await makeFeeds(session.inputMetadata, feeding);
  } finally {
    await session.release();
  }
}

async function run(
  id: number,
  feeding: Feeding,
  signal: AbortSignal,
  labels?: readonly string[],
  replaces?: number,
): Promise<DoneRun> {
  const { session, settings } = sessions.find(id);
  const feeds = await makeFeeds(session.inputMetadata, feeding);
  const started = performance.now();
  const results = (await session.run(feeds, { signal })) as Record<string, HostValue>;
  const milliseconds = performance.now() - started;
  if (replaces !== undefined) forget(replaces);
  const [fed, outputs] = [feeds, results].map(headsOf) as [ValueHead[], ValueHead[]];
  const looks = looksOf(feeds, results, labels);
  const pictures = await fedPictures(feeds, feeding);
  return { id: keep(results), settings, threads: session.threads, milliseconds, fed, outputs, looks, pictures };
}

const headsOf = (values: Record<string, HostValue>): ValueHead[] =>
  Object.entries(values).map(([name, value]) => headOf(name, value));

function tensorsIn(feeds: Record<string, HostValue>): Record<string, TensorValue> {
  for (const [name, value] of Object.entries(feeds))
    if (!isTensor(value))
      throw new Error(`the input "${name}" is not a tensor, and onnxruntime-web takes tensors only`);
  return feeds as Record<string, TensorValue>;
}

const sent = <T extends object>(value: T): T => transfer(value, buffersOf(value));

expose(service);
