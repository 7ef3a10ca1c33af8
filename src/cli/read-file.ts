import { readFileSync } from 'node:fs';
import { SardonyxError } from '../base/errors.js';

export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'FILE_NOT_FOUND' : 'FILE_UNREADABLE';
    throw new SardonyxError(code, `cannot read "${path}": ${(cause as Error).message}`, {}, { cause });
  }
}
