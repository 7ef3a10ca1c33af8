import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SardonyxError } from '../base/errors.js';

/** Writes a file, which takes its name once it is whole; a pipe or device is written to as it is. */
export function write(path: string, contents: Uint8Array | string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts && !facts.isFile()) writeFileSync(path, contents);
    else replace(facts ? realpathSync(path) : path, contents);
  } catch (cause) {
    throw new SardonyxError('INVALID_ARGUMENT', `cannot write "${path}": ${(cause as Error).message}`, {}, { cause });
  }
}

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
