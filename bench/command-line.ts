import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { nodeBinary } from './environment.js';
import { RUNTIMES, type RuntimeName } from './runtimes.js';

export interface Settings<R = unknown> {
  rows: R[];
  runtimes: RuntimeName[];
  node: string;
  variant: string;
  /** How long each process repeats the run. */
  seconds: number;
  /** Processes per row and runtime. */
  rounds: number;
  /** Threads of each runtime. */
  threads: number;
  /** The numbers of threads to compare. */
  counts: number[];
  modelFolders: string[];
  /** Another built checkout of Sardonyx to compare with. */
  against: string | undefined;
  json: string | undefined;
  markdown: boolean;
}

interface Defaults {
  seconds: number;
  rounds: number;
  runtimes?: string;
}

/** `usual` are the rows that run by default. */
export function settings<R extends { name: string }>(
  rows: readonly R[],
  defaults: Defaults,
  usual: readonly R[] = rows,
): Settings<R> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      runtimes: { type: 'string', ...(defaults.runtimes && { default: defaults.runtimes }) },
      node: { type: 'string' },
      variant: { type: 'string', default: 'auto' },
      seconds: { type: 'string', default: String(defaults.seconds) },
      rounds: { type: 'string', default: String(defaults.rounds) },
      threads: { type: 'string', default: '1' },
      counts: { type: 'string', default: '1,2' },
      against: { type: 'string' },
      models: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      markdown: { type: 'boolean', default: false },
    },
  });
  const names = (Object.keys(RUNTIMES) as RuntimeName[]).filter((name) => name !== 'before' || values.against);
  return {
    rows: values.rows === undefined ? [...usual] : chosen(values.rows, rows, ({ name }) => name),
    runtimes: chosen(values.runtimes, names, (name) => name),
    node: nodeBinary(values.node),
    variant: values.variant,
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    threads: Number(values.threads),
    counts: values.counts.split(',').map(Number),
    against: values.against && fromCaller(values.against),
    modelFolders: values.models.map(fromCaller),
    json: values.json && fromCaller(values.json),
    markdown: values.markdown,
  };
}

/** npm runs scripts in the package's folder; relative paths start from where the command was given. */
export const fromCaller = (path: string) => resolve(process.env.INIT_CWD ?? '.', path);

/** The items of `all` whose names begin with a part of the list; all without a list. */
function chosen<T>(list: string | undefined, all: readonly T[], nameOf: (item: T) => string): T[] {
  const parts = list?.split(',') ?? [''];
  for (const part of parts) {
    if (all.some((item) => nameOf(item).startsWith(part))) continue;
    throw new Error(`nothing begins with "${part}"; there are: ${all.map(nameOf).join(', ')}`);
  }
  return all.filter((item) => parts.some((part) => nameOf(item).startsWith(part)));
}
