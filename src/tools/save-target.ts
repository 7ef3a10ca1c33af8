import { builtin } from '../../bindings/builtin.js';
import { reading } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { type Output, toFile, toFolder, toHandle, toStream } from './output.js';

/** The target of `saveModel`: a path, a file name in a folder of OPFS or of the user, a file handle, or a stream. */
export type SaveTarget =
  | string
  | URL
  | FileSystemFileHandle
  | WritableStream<Uint8Array>
  | {
      /** The folder. */
      readonly folder: FileSystemDirectoryHandle;
      /** The name of the file in the folder. */
      readonly name: string;
    };

/** A file to write, and others next to it if it is in a folder. */
export interface Destination {
  readonly name: string;
  readonly open: (name: string) => Output | Promise<Output>;
  readonly isFolder: boolean;
  /** The path of the folder, if it has one. */
  readonly folder?: string;
}

export function destinationOf(target: SaveTarget): Destination {
  const found = reading('the target', () => opened(target));
  if (found) return found;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `target: expected a path, a file: URL, a FileSystemFileHandle, a WritableStream or { folder, name }, got ${shown(target)}`,
  );
}

function opened(target: SaveTarget): Destination | undefined {
  if (typeof target === 'string' || target instanceof URL) {
    const path = pathOf(target);
    return path === undefined ? undefined : atPath(path);
  }
  if (typeof target !== 'object' || target === null) return undefined;
  if ('createWritable' in target) return { name: target.name, isFolder: false, open: () => toHandle(target) };
  if ('getWriter' in target) return { name: 'model', isFolder: false, open: () => toStream(target, 'the stream') };
  if (!target.folder || !target.name) return undefined;
  return { name: target.name, isFolder: true, open: (name) => toFolder(target.folder, name) };
}

function pathOf(target: string | URL): string | undefined {
  if (typeof target === 'string' && !/^(https?|file|data|blob):/i.test(target)) return target;
  return /^file:/i.test(`${target}`) ? builtin('url')?.fileURLToPath(target) : undefined;
}

function atPath(path: string): Destination {
  const paths = builtin('path');
  if (!paths || !builtin('fs'))
    throw new SardonyxError('UNSUPPORTED_PLATFORM', `cannot write "${path}": this platform has no file system`);
  const folder = paths.resolve(paths.dirname(path));
  return { name: paths.basename(path), isFolder: true, folder, open: (name) => toFile(paths.join(folder, name)) };
}
