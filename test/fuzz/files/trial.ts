import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Graph } from '../../../src/graph/graph.js';
import type { ValueType } from '../../../src/graph/types.js';
import { allNodes } from '../../../src/graph/walk.js';
import { InferenceSession, type SessionOptions } from '../../../src/index.js';
import { findOperator } from '../../../src/schema/registry.js';
import { elementCount, type HostValue, isTensorValue } from '../../../src/tensor/tensor-value.js';
import { difference } from '../../conformance/compare.js';
import { filled } from '../../conformance/filled.js';
import { WITNESS } from '../../model/witness.js';
import { type Specimen, specimen } from './corpus.js';
import { BYTE_DAMAGES } from './damage-bytes.js';
import { damageExternal, EXTERNAL_DAMAGES } from './damage-external.js';
import { type Call, FEED_DAMAGES } from './damage-feeds.js';
import { FIELD_DAMAGES, NoPlace, type TreeDamage } from './damage-fields.js';
import { GRAPH_DAMAGES } from './damage-graphs.js';
import { NESTING_DAMAGES } from './damage-nesting.js';
import { TENSOR_DAMAGES } from './damage-tensors.js';
import { externalModel, type Folder, givenFiles, tellsSecret } from './external-files.js';
import { type Outcome, outcomeOf, settled } from './outcome.js';
import { type Random, randomOf, seedOf } from './random.js';
import { encode, parse } from './wire.js';

export const KINDS = ['files', 'external', 'feeds'] as const;
export type Kind = (typeof KINDS)[number];

/** One damaged file or feed: what is damaged, by what, and how to try it with some of the damage. */
export interface Trial {
  readonly subject: string;
  readonly damages: readonly string[];
  /** The damaged file, for those who want to look at it. */
  bytes(kept: readonly number[]): Uint8Array;
  /** Does the damage, and gives what tries it: only that is held to a time. */
  ready(kept: readonly number[]): () => Promise<Outcome>;
}

/** Of a hundred trials where all kinds are tried. */
const SHARES: Readonly<Record<Kind, number>> = { files: 72, external: 8, feeds: 20 };

type FileDamage = (bytes: Uint8Array, random: Random) => Uint8Array;

/** Damage to the tree; bytes that are no message any more stay as they are. */
const onTree =
  (damage: TreeDamage): FileDamage =>
  (bytes, random) => {
    const model = parse(bytes);
    if (!model) return bytes;
    try {
      damage(model, random);
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error;
    }
    return encode(model) ?? bytes;
  };

const trees = (damages: Readonly<Record<string, TreeDamage>>): Record<string, FileDamage> =>
  Object.fromEntries(Object.entries(damages).map(([name, damage]) => [name, onTree(damage)]));

/** Groups of damage and their share: that by which a model gets past its reader comes up most. */
const FILE_DAMAGES: readonly (readonly [share: number, damages: Readonly<Record<string, FileDamage>>])[] = [
  [12, BYTE_DAMAGES],
  [22, trees(FIELD_DAMAGES)],
  [30, trees(TENSOR_DAMAGES)],
  [32, trees(GRAPH_DAMAGES)],
  [1, trees(NESTING_DAMAGES)],
];

function byShare<T>(groups: readonly (readonly [share: number, of: T])[], random: Random): T {
  let left = random.below(groups.reduce((sum, [share]) => sum + share, 0));
  for (const [share, of] of groups) {
    if (left < share) return of;
    left -= share;
  }
  throw new Error('no share');
}

/** A damage of a trial, with a seed of its own: the others may be left out. */
interface Chosen<D> {
  readonly name: string;
  readonly damage: D;
  readonly seed: number;
}

function chosen<D>(draw: () => Readonly<Record<string, D>>, count: number, random: Random): Chosen<D>[] {
  return Array.from({ length: count }, () => {
    const damages = draw();
    const name = random.pick(Object.keys(damages));
    return { name, damage: damages[name] as D, seed: random.below(2 ** 32) };
  });
}

const namesOf = (list: readonly Chosen<unknown>[]) => list.map(({ name }) => name);

const some = <T>(list: readonly T[], kept: readonly number[]) => kept.map((i) => list[i] as T);

export function trialOf(seed: number, number: number, only: Kind | undefined, folder: Folder): Trial {
  const random = randomOf(seedOf(seed, number));
  const kind =
    only ??
    byShare(
      KINDS.map((name) => [SHARES[name], name] as const),
      random,
    );
  return TRIALS[kind](random, folder);
}

const TRIALS: Readonly<Record<Kind, (random: Random, folder: Folder) => Trial>> = { files, external, feeds };

const WAYS: readonly SessionOptions[] = [
  {},
  {},
  { graphOptimizationLevel: 'disabled' },
  { graphOptimizationLevel: 'disabled', guardBytes: 64 },
  { guardBytes: 64 },
  { looseSymbols: true },
];

type Source = Parameters<typeof InferenceSession.create>[0];

/** How a file comes. */
const SOURCES: readonly (readonly [share: number, (bytes: Uint8Array, folder: Folder) => unknown])[] = [
  [80, (bytes) => bytes],
  [6, (bytes, { path }) => written(bytes, path)],
  [4, (bytes) => new Blob([bytes as Uint8Array<ArrayBuffer>])],
  [4, (bytes) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()],
  [3, (bytes) => shared(bytes)],
  [3, (bytes) => Buffer.concat([Uint8Array.of(0), bytes]).subarray(1)],
];

function written(bytes: Uint8Array, folder: string): string {
  const path = join(folder, `model-${process.pid}.onnx`);
  writeFileSync(path, bytes);
  return path;
}

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

/** So long may a model that asks for much go on: milliseconds. */
const PATIENCE = 300;

type Values = Readonly<Record<string, unknown>>;

/** What a server that takes models from strangers would set; a good file may ask for more than all memory. */
const LIMITS = { memoryBytes: 2 ** 28, milliseconds: 1000 };
/** For a good model, which must be there before it is fed: the clock goes on while a busy machine does other things. */
const GOOD_LIMITS = { ...LIMITS, milliseconds: 20_000 };

/** Opens a model, runs it, and lets go of it. */
async function openAndRun(
  source: unknown,
  options: object,
  feedsOf: (session: InferenceSession) => Values,
): Promise<Values> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), PATIENCE);
  const { signal } = controller;
  try {
    const session = await InferenceSession.create(source as Source, { limits: LIMITS, ...options, signal });
    try {
      return await session.run(feedsOf(session) as never, { signal });
    } finally {
      await session.release();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** The feeds that a damaged model still takes, and made ones for what it asks for now. */
function feedsFor({ model, inputNames }: InferenceSession, feeds: Values): Values {
  const wanted = new Map(model.graph.inputs.map((input) => [input.name, input]));
  return Object.fromEntries(
    inputNames.flatMap((name) => {
      const input = wanted.get(name);
      const made =
        fitting(feeds[name] as HostValue, input?.type) ?? (input?.constant ? undefined : madeFor(input?.type));
      return made === undefined ? [] : [[name, made] as const];
    }),
  );
}

function fitting(feed: HostValue | undefined, type: ValueType | undefined): HostValue | undefined {
  if (feed === undefined || !isTensorValue(feed) || type?.kind !== 'tensor') return feed;
  const sizes = type.dims ?? feed.dims;
  const fits = sizes.length === feed.dims.length && sizes.every((d, i) => typeof d !== 'number' || d === feed.dims[i]);
  return fits && type.element === feed.type ? feed : undefined;
}

const MOST_FED = 4096;

function madeFor(type: ValueType | undefined): HostValue | undefined {
  if (!type || /sparse/.test(JSON.stringify(type))) return undefined;
  const dims = type.kind === 'tensor' ? (type.dims ?? [2]).map((d) => (typeof d === 'number' ? d : 2)) : [2];
  return elementCount(dims) <= MOST_FED ? filled(type, dims) : undefined;
}

/** Tensors of every type and every field that may hold them; its operators are nobody's. */
const UNRUNNABLE: Specimen = { name: 'every element type', bytes: WITNESS, feeds: {} };

/** What is nested a thousand deep and repeated grows beyond all memory of the one who damages it. */
const MOST_DAMAGED = 2 ** 16;

/** A file too large, or nested more deeply than the stack takes, is left as it is. */
function damagedBy({ damage, seed }: Chosen<FileDamage>, file: Uint8Array): Uint8Array {
  if (file.length > MOST_DAMAGED) return file;
  try {
    return damage(file, randomOf(seed));
  } catch (error) {
    if (error instanceof RangeError) return file;
    throw error;
  }
}

const fileDamages = (random: Random): Chosen<FileDamage>[] =>
  chosen(() => byShare(FILE_DAMAGES, random), random.pick([1, 1, 1, 2, 2, 3, 4]), random);

/** A file with one or a few damages. */
export const damagedFile = (bytes: Uint8Array, random: Random): Uint8Array =>
  fileDamages(random).reduce((file, each) => damagedBy(each, file), bytes);

function files(random: Random, folder: Folder): Trial {
  const { name, bytes, feeds } = random.chance(0.02) ? UNRUNNABLE : specimen(random);
  const list = fileDamages(random);
  const [options, source] = [random.pick(WAYS), byShare(SOURCES, random)];
  const damaged = (kept: readonly number[]) => some(list, kept).reduce((file, each) => damagedBy(each, file), bytes);
  return {
    subject: name,
    damages: namesOf(list),
    bytes: damaged,
    ready(kept) {
      const file = source(damaged(kept), folder);
      return () => outcomeOf(() => openAndRun(file, options, (session) => feedsFor(session, feeds)));
    },
  };
}

function external(random: Random, folder: Folder): Trial {
  const { bytes, feeds } = externalModel();
  const list = chosen(() => EXTERNAL_DAMAGES, random.pick([1, 1, 2, 3]), random);
  const isFile = random.chance(0.5);
  const given = random.below(2 ** 32);
  const damaged = (kept: readonly number[]) => {
    const model = parse(bytes);
    if (!model) return bytes;
    for (const { damage, seed } of some(list, kept)) damageExternal(model, randomOf(seed), damage);
    return encode(model) ?? bytes;
  };
  return {
    subject: isFile ? 'external data in a folder' : 'external data given',
    damages: namesOf(list),
    bytes: damaged,
    ready(kept) {
      const file = damaged(kept);
      const source = isFile ? written(file, folder.path) : file;
      const options = isFile ? {} : { externalData: givenFiles(randomOf(given)) };
      return async () => {
        let secret = false;
        const outcome = await outcomeOf(async () => {
          const results = await openAndRun(source, options, (session) => feedsFor(session, feeds));
          secret = tellsSecret(results);
          return results;
        });
        return secret ? { word: 'outside', problem: "reads outside of the model's folder" } : outcome;
      };
    },
  };
}

function feeds(random: Random): Trial {
  const subject = specimen(random);
  const list = chosen(() => FEED_DAMAGES, random.pick([1, 1, 1, 2, 3]), random);
  const options = random.pick(WAYS);
  return {
    subject: subject.name,
    damages: namesOf(list),
    bytes: () => subject.bytes,
    ready: (kept) => () => outcomeOfFeeds(subject, options, some(list, kept)),
  };
}

/** A damage may meet what an earlier one has laid out. */
function unlessTrapped(damage: () => void): void {
  try {
    damage();
  } catch {}
}

/** A bad run between good ones, which must give what they gave before. */
async function outcomeOfFeeds(
  { bytes, feeds }: Specimen,
  options: SessionOptions,
  damages: readonly Chosen<(call: Call, random: Random) => void>[],
): Promise<Outcome> {
  const session = await InferenceSession.create(bytes, { limits: GOOD_LIMITS, ...options });
  const good = () => session.run(copyOf(feeds) as never);
  const [first, second] = [await good(), await good()];
  const call: Call = { feeds: copyOf(feeds), during: [], outputs: copyOf(first) };
  for (const { damage, seed } of damages) unlessTrapped(() => damage(call, randomOf(seed)));
  const outcome = await outcomeOf(() => {
    const running = session.run(call.feeds as never, call.second as never, call.third as never);
    for (const act of call.during) unlessTrapped(act);
    return (running as Promise<Values>).then((results) => madeIn(results, call));
  });
  const isRepeatable = !isDrawn(session.model.graph) && differing(second, first) === undefined;
  const again = await settled(good);
  await session.release();
  if (outcome.problem) return outcome;
  if (!again.results) return { word: 'spoilt', problem: `the next good run ${(again.thrown as Error).message}` };
  const changed = isRepeatable ? differing(again.results, first) : undefined;
  return changed ? { word: 'spoilt', problem: `the next good run gives ${changed}` } : outcome;
}

/** Results but for places that the caller has given: what became of those meanwhile is the caller's. */
function madeIn(results: Values, { second }: Call): Values {
  const given = new Set<unknown>();
  unlessTrapped(() => {
    for (const place of Object.values(second as object)) given.add(place);
  });
  return Object.fromEntries(Object.entries(results).filter(([, value]) => !given.has(value)));
}

/** Whether an operator draws its results. */
const isDrawn = (graph: Graph): boolean =>
  [...allNodes(graph)].some(
    ({ domain, op }) => findOperator(domain, op, Number.POSITIVE_INFINITY)?.deterministic === false,
  );

const EXACT = { relative: 0, absolute: 0 };

function differing(results: Values, expected: Values): string | undefined {
  return Object.entries(expected)
    .map(([name, value]) => difference((results[name] ?? null) as HostValue, value as HostValue, EXACT))
    .find((found) => found !== undefined);
}

/** A copy down to the data: what a damage does to it, the next run does not see. */
function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (value instanceof Map) return new Map(value) as T;
  if (isTensorValue(value)) return { type: value.type, dims: [...value.dims], data: value.data.slice() } as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copyOf(inner)])) as T;
}
