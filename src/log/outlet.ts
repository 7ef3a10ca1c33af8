import { builtin } from '../../bindings/builtin.js';
import { reading } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';

/**
 * The target of a log: a folder, as a path, file: URL or handle, in which a new event file is created; the path of a
 * new file with `tfevents` in its name; a file handle; or a stream.
 */
export type LogTarget = string | URL | FileSystemDirectoryHandle | FileSystemFileHandle | WritableStream<Uint8Array>;

/** A destination for bytes in order. */
export interface Outlet {
  write(bytes: Uint8Array): void | Promise<void>;
  /** Makes written bytes visible to readers. */
  flush(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** @throws SardonyxError INVALID_ARGUMENT if the target is invalid or cannot be written, UNSUPPORTED_PLATFORM if there are no files */
export function outletOf(target: LogTarget): Outlet {
  const found = reading('the target', () => opened(target));
  if (found) return found;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `target: expected a path, a file: URL, a FileSystemDirectoryHandle, a FileSystemFileHandle, a WritableStream or undefined, got ${shown(target)}`,
  );
}

function opened(target: LogTarget): Outlet | undefined {
  if (typeof target === 'string' || target instanceof URL) return toPath(target);
  if (typeof target !== 'object' || target === null) return undefined;
  if ('getWriter' in target) return toStream(target);
  if ('createWritable' in target) return toHandle(async () => target);
  if ('getFileHandle' in target) return toHandle(() => target.getFileHandle(nameOfFile(), { create: true }));
  return undefined;
}

/** A file name with `tfevents`, which TensorBoard requires; it reads files in the order of their names. */
const nameOfFile = () =>
  `events.out.tfevents.${Math.floor(Date.now() / 1000)}.sardonyx.${Math.random().toString(36).slice(2, 10)}`;

const unwritable = (name: string, cause: unknown) =>
  new SardonyxError('INVALID_ARGUMENT', `cannot write "${name}": ${(cause as Error)?.message ?? cause}`, {}, { cause });

function toPath(target: string | URL): Outlet {
  const [fs, paths] = [builtin('fs'), builtin('path')];
  if (!fs || !paths)
    throw new SardonyxError('UNSUPPORTED_PLATFORM', `cannot write "${target}": this platform has no file system`);
  const path = /^file:/i.test(`${target}`) ? (builtin('url')?.fileURLToPath(target) as string) : `${target}`;
  const isFile = paths.basename(path).includes('tfevents');
  const name = isFile ? path : paths.join(path, nameOfFile());
  const trying = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw unwritable(name, cause);
    }
  };
  const file = trying(() => {
    fs.mkdirSync(paths.dirname(name), { recursive: true });
    return fs.openSync(name, 'wx');
  });
  return {
    write(bytes) {
      for (let done = 0; done < bytes.length; ) done += trying(() => fs.writeSync(file, bytes, done));
    },
    flush() {},
    close: () => trying(() => fs.closeSync(file)),
  };
}

function toStream(stream: WritableStream<Uint8Array>): Outlet {
  const writer = stream.getWriter();
  const trying = (work: Promise<void>) =>
    work.catch((cause) => {
      throw unwritable('the stream', cause);
    });
  return {
    write: (bytes) => trying(writer.write(bytes)),
    flush: () => trying(writer.ready),
    close: () => trying(writer.close()),
  };
}

/** An outlet to a file handle. Written bytes become visible when the file is closed; `flush` reopens it to append. */
function toHandle(find: () => Promise<FileSystemFileHandle>): Outlet {
  let found: FileSystemFileHandle | undefined;
  let open: FileSystemWritableFileStream | undefined;
  const trying = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (cause) {
      throw unwritable(found?.name ?? 'the folder', cause);
    }
  };
  const write = (bytes: Uint8Array) =>
    trying(async () => {
      found ??= await find();
      open ??= await endOf(found);
      await open.write(bytes as Uint8Array<ArrayBuffer>);
    });
  const flush = () =>
    trying(async () => {
      await open?.close();
      open = undefined;
    });
  return { write, flush, close: flush };
}

async function endOf(handle: FileSystemFileHandle): Promise<FileSystemWritableFileStream> {
  const stream = await handle.createWritable({ keepExistingData: true });
  await stream.seek((await handle.getFile()).size);
  return stream;
}

/** An outlet that collects bytes in memory. */
export function collected(): Outlet & { readonly parts: Uint8Array[] } {
  const parts: Uint8Array[] = [];
  return { parts, write: (bytes) => void parts.push(bytes), flush() {}, close() {} };
}
