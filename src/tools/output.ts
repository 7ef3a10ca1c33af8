import { builtin } from '../../bindings/builtin.js';
import { SardonyxError } from '../base/errors.js';

/** A file that is being written. It gets its name when it is complete. */
export interface Output {
  write(bytes: Uint8Array): void | Promise<void>;
  finish(): void | Promise<void>;
  discard(): void | Promise<void>;
}

const unwritable = (name: string, cause: unknown) =>
  new SardonyxError('INVALID_ARGUMENT', `cannot write "${name}": ${(cause as Error)?.message ?? cause}`, {}, { cause });

function writing<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw unwritable(name, cause);
  }
}

/** The maximum number of bytes that operating systems write at once. */
const MOST_AT_ONCE = 2 ** 30;

/**
 * Writes to a path through a temporary file, so that a file may be replaced while it is read. Existing paths that are
 * not files, such as pipes, are written directly.
 */
export function toFile(path: string): Output {
  const [fs, paths] = [builtin('fs') as typeof import('node:fs'), builtin('path') as typeof import('node:path')];
  const isReplaced = writing(path, () => fs.statSync(path, { throwIfNoEntry: false })?.isFile() ?? true);
  const partial = isReplaced ? `${path}.${Math.random().toString(36).slice(2)}.partial` : path;
  const file = writing(path, () => {
    fs.mkdirSync(paths.dirname(path), { recursive: true });
    return fs.openSync(partial, isReplaced ? 'wx' : 'w');
  });
  const written = (bytes: Uint8Array, from: number) =>
    new Promise<number>((resolve, reject) => {
      fs.write(file, bytes, from, Math.min(bytes.length - from, MOST_AT_ONCE), null, (cause, count) =>
        cause ? reject(unwritable(path, cause)) : resolve(count),
      );
    });
  return {
    async write(bytes) {
      for (let done = 0; done < bytes.length; ) done += await written(bytes, done);
    },
    finish() {
      fs.closeSync(file);
      if (isReplaced) writing(path, () => fs.renameSync(partial, path));
    },
    discard() {
      fs.closeSync(file);
      if (isReplaced) fs.rmSync(partial, { force: true });
    },
  };
}

/** Writes to a stream, which is closed at the end. */
export function toStream(stream: WritableStream<Uint8Array>, name: string): Output {
  const writer = writing(name, () => stream.getWriter());
  const waiting = (work: Promise<void>) =>
    work.catch((cause) => {
      throw unwritable(name, cause);
    });
  return {
    write: (bytes) => waiting(writer.write(bytes)),
    finish: () => waiting(writer.close()),
    discard: () => writer.abort().catch(() => {}),
  };
}

/** Writes to a file in OPFS or of the user, which keeps its contents until writing finishes. */
export async function toHandle(handle: FileSystemFileHandle): Promise<Output> {
  if (typeof handle.createWritable !== 'function')
    throw new SardonyxError(
      'UNSUPPORTED_PLATFORM',
      `cannot write "${handle.name}": this browser does not support createWritable`,
    );
  const stream = await handle.createWritable().catch((cause) => {
    throw unwritable(handle.name, cause);
  });
  return toStream(stream as WritableStream<Uint8Array>, handle.name);
}

/** Writes to a path in a folder. A new file is removed after an error. */
export async function toFolder(folder: FileSystemDirectoryHandle, path: string): Promise<Output> {
  const steps = path.split('/');
  const name = steps.pop() as string;
  let place = folder;
  for (const step of steps) place = await place.getDirectoryHandle(step, { create: true });
  const isThere = await place.getFileHandle(name).then(
    () => true,
    () => false,
  );
  const output = await toHandle(await place.getFileHandle(name, { create: true }));
  if (isThere) return output;
  const discard = async () => {
    await output.discard();
    await place.removeEntry(name).catch(() => {});
  };
  return { ...output, discard };
}
