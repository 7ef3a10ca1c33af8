import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SardonyxError } from '../base/errors.js';
import type { Io } from './io.js';

/** Reports a file that was written. */
export type Reporter = Pick<Io, 'wrote'>;

/** Writes a file under its final name once it is complete, and reports it; pipes and devices are written directly. */
export function write(io: Reporter, path: string, contents: Uint8Array | string): void {
  requireFolderOf(path);
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts && !facts.isFile()) writeFileSync(path, contents);
    else replace(facts ? realpathSync(path) : path, contents);
  } catch (cause) {
    throw cannotWrite(path, (cause as Error).message, cause);
  }
  io.wrote(path, typeof contents === 'string' ? Buffer.byteLength(contents) : contents.length);
}

/**
 * Checks that the folder of a file exists, as commands do not create it.
 * @throws SardonyxError if it does not
 */
export function requireFolderOf(path: string): void {
  const folder = dirname(path);
  const facts = statSync(folder, { throwIfNoEntry: false });
  if (!facts) throw cannotWrite(path, `the folder "${folder}" does not exist`);
  if (!facts.isDirectory()) throw cannotWrite(path, `"${folder}" is not a folder`);
}

/**
 * Checks that a file can be written to a path.
 * @throws SardonyxError if it cannot
 */
export function requireFilePath(path: string): void {
  requireFolderOf(path);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw cannotWrite(path, 'it is a folder');
}

export const cannotWrite = (path: string, reason: string, cause?: unknown): SardonyxError =>
  new SardonyxError('INVALID_ARGUMENT', `cannot write "${path}": ${reason}`, {}, { cause });

function replace(path: string, contents: Uint8Array | string): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    writeFileSync(partial, contents, { flag: 'wx' });
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Creates the folder that a command writes, in one that exists. */
export function makeFolder(path: string): void {
  requireFolderOf(path);
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw cannotWrite(path, (cause as Error).message, cause);
  }
}
