import { expose, transfer } from 'comlink';
import type { Entry, Large, Of } from '../contracts/log-entries.js';
import { isPoints } from '../contracts/log-files.js';
import type { LogSource, LogsService, Overview } from '../contracts/logs.js';
import { csvOf } from './draw/csv.js';
import { ridgesOf } from './draw/histograms.js';
import { arraysOf, tableOf } from './draw/table.js';
import { allKept } from './kept.js';
import { readNew } from './log-file.js';
import { overviewOf } from './overview.js';
import { type Followed, type FoundFile, filesAmong, logsAmong } from './sources.js';
import { addEntry, newRun, type Run } from './store.js';
import { embeddingIn, labelsBeside, placeOf } from './tsv.js';

const runs = new Map<string, Run>();
const files = new Map<string, Followed>();
/** Sources that are checked for changes. */
const sources: LogSource[] = [];
/** The number of bins of a ridge. */
const BINS = 96;

function runAt(folder: string): Run {
  const run = runs.get(folder) ?? newRun(folder);
  runs.set(folder, run);
  return run;
}

const overview = (): Overview => overviewOf([...runs.values()], files.values());

/** Reads new data from a file; resets the run if the file was rewritten. */
async function advance(followed: Followed): Promise<boolean> {
  const before = followed.log.place;
  const entries: Entry[] = [];
  const isAnother = await readNew(followed.log, await followed.current(), (entry) => entries.push(entry));
  if (isAnother) runs.delete(followed.run);
  const run = runAt(followed.run);
  for (const entry of entries) addEntry(run, entry);
  return isAnother || entries.length > 0 || followed.log.place.offset !== before.offset;
}

async function advanceAll(which: Iterable<Followed>): Promise<boolean> {
  let isNew = false;
  for (const followed of which) isNew = (await advance(followed)) || isNew;
  return isNew;
}

/** Files with points for the projector; each is read only once. */
const points = new Set<string>();

async function addPoints(all: readonly FoundFile[]): Promise<void> {
  for (const { path, current } of all.filter(({ path }) => isPoints(path) && !points.has(path))) {
    points.add(path);
    const labels = all.find((file) => file.path === labelsBeside(path));
    const found = embeddingIn(await (await current()).text(), labels && (await (await labels.current()).text()));
    const { run, tag, step } = placeOf(path);
    if (found) addEntry(runAt(run), { tag, step, wall: 0, ...found });
  }
}

async function add(given: readonly LogSource[]): Promise<Followed[]> {
  const all = await filesAmong(given);
  const found = logsAmong(all).filter(({ path }) => !files.has(path));
  for (const followed of found) files.set(followed.path, followed);
  await addPoints(all);
  return found;
}

function kept<K extends Large>(kind: K, run: string, tag: string): readonly Of<K>[] {
  const found = runs.get(run)?.large.get(kind)?.get(tag);
  return found ? (allKept(found) as readonly Of<K>[]) : [];
}

const service: LogsService = {
  async open(given) {
    sources.push(...given.filter((source) => 'handle' in source));
    await advanceAll(await add(given));
    return overview();
  },
  async poll() {
    const known = [...files.values()].filter(({ grows }) => grows);
    const isNew = await advanceAll([...known, ...(await add(sources))]);
    return isNew ? overview() : null;
  },
  async close() {
    runs.clear();
    files.clear();
    points.clear();
    sources.length = 0;
  },
  async scalars(query) {
    const table = tableOf(query, (run) => runs.get(run)?.scalars.get(query.tag));
    return transfer(table, arraysOf(table));
  },
  async csv(tag, folders) {
    const found = folders.flatMap((folder) => {
      const run = runs.get(folder);
      const points = run?.scalars.get(tag);
      return run && points ? [[run.name, points] as const] : [];
    });
    return csvOf(tag, found);
  },
  async ridges(run, tag) {
    const found = kept('histogram', run, tag);
    return found.length > 0 ? ridgesOf(found, BINS) : null;
  },
  async moments(kind, run, tag) {
    return kept(kind, run, tag).map(({ step, wall }) => ({ step, wall }));
  },
  async files(kind, run, tag, moment) {
    if (kind === 'image') return (kept(kind, run, tag)[moment]?.files ?? []).map((file) => blobOf(file, ''));
    const found = kept(kind, run, tag)[moment];
    return (found?.sounds ?? []).map((sound) => blobOf(sound, found?.type ?? ''));
  },
  async texts(run, tag) {
    return kept('text', run, tag).map(({ step, wall, texts }) => ({ step, wall, texts }));
  },
  async curve(kind, run, tag, moment) {
    const found = kept(kind, run, tag);
    return found[Math.min(moment, found.length - 1)] ?? null;
  },
  async project(run, tag, moment, method) {
    const found = kept('embedding', run, tag)[moment];
    if (!found) return null;
    const { projected } = await import('./draw/project.js');
    return projected(found, method);
  },
};

const blobOf = (bytes: Uint8Array, type: string) => new Blob([bytes as Uint8Array<ArrayBuffer>], { type });

expose(service);
