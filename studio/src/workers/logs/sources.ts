import type { LogSource } from '../contracts/logs.js';
import { formatOf } from './formats.js';
import { type LogFile, logFile } from './log-file.js';

/** A file and a function that gets its current content. */
export interface FoundFile {
  readonly path: string;
  readonly current: () => Promise<Blob>;
  readonly grows: boolean;
}

/** A log file that is followed. */
export interface Followed extends FoundFile {
  readonly log: LogFile;
  readonly run: string;
}

/** All files in a folder are one run; a file without a folder is a run of its own. */
const runOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path);

/** All files of the sources, including those in folders, sorted by path, which is the order in which logs are written. */
export async function filesAmong(sources: readonly LogSource[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const source of sources) for await (const each of filesIn(source)) found.push(each);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export const logsAmong = (files: readonly FoundFile[]): Followed[] =>
  files.flatMap((file) => {
    const format = formatOf(file.path);
    return format ? [{ ...file, log: logFile(file.path, format), run: runOf(file.path) }] : [];
  });

async function* filesIn(source: LogSource): AsyncGenerator<FoundFile> {
  const { path } = source;
  if ('file' in source) yield { path, current: async () => source.file, grows: false };
  else if (source.handle.kind === 'directory') yield* filesBelow(source.handle as FileSystemDirectoryHandle, path);
  else {
    const handle = source.handle as FileSystemFileHandle;
    yield { path, current: () => handle.getFile(), grows: true };
  }
}

type Entries = AsyncIterable<[string, FileSystemFileHandle | FileSystemDirectoryHandle]>;

async function* filesBelow(folder: FileSystemDirectoryHandle, path: string): AsyncGenerator<FoundFile> {
  const { entries } = folder as unknown as { entries(): Entries };
  for await (const [name, handle] of entries.call(folder)) yield* filesIn({ path: `${path}/${name}`, handle });
}
