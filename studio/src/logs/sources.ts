import { type Format, formatOf } from './formats.js';
import { type LogFile, logFile } from './log-file.js';
import type { LogSource } from './service.js';

/** A file that is followed: how to come by what it has now. */
export interface Followed {
  readonly log: LogFile;
  readonly run: string;
  readonly current: () => Promise<Blob>;
  readonly grows: boolean;
}

/** Files of a folder are one run; a file by itself is one, too. */
const runOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path);

const followed = (path: string, format: Format, current: () => Promise<Blob>, grows: boolean): Followed => ({
  log: logFile(path, format),
  run: runOf(path),
  current,
  grows,
});

/** The logs among sources, by their paths, those in folders too; in the order of names, as they were written. */
export async function logsAmong(sources: readonly LogSource[]): Promise<Map<string, Followed>> {
  const found: Followed[] = [];
  for (const source of sources) for await (const each of logsIn(source)) found.push(each);
  found.sort((a, b) => (a.log.path < b.log.path ? -1 : 1));
  return new Map(found.map((each) => [each.log.path, each]));
}

async function* logsIn(source: LogSource): AsyncGenerator<Followed> {
  const { path } = source;
  const format = formatOf(path);
  if ('file' in source) {
    if (format) yield followed(path, format, async () => source.file, false);
    return;
  }
  const { handle } = source;
  if (handle.kind === 'directory') yield* logsBelow(handle as FileSystemDirectoryHandle, path);
  else if (format) yield followed(path, format, () => (handle as FileSystemFileHandle).getFile(), true);
}

type Entries = AsyncIterable<[string, FileSystemFileHandle | FileSystemDirectoryHandle]>;

async function* logsBelow(folder: FileSystemDirectoryHandle, path: string): AsyncGenerator<Followed> {
  const { entries } = folder as unknown as { entries(): Entries };
  for await (const [name, handle] of entries.call(folder)) yield* logsIn({ path: `${path}/${name}`, handle });
}
