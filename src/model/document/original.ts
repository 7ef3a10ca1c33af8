import { builtin } from '../../../bindings/builtin.js';
import { SardonyxError } from '../../base/errors.js';
import { rangesOf } from '../files.js';
import type { FileStamp } from './model.js';

/** The bytes a model was loaded from. */
export function originalBytes(original: Uint8Array | FileStamp): Uint8Array {
  if (original instanceof Uint8Array) return original;
  verifyStamp(original);
  return rangesOf(original.path, original.path).ranges(0, original.size)();
}

/** That the file is still the one that was loaded. */
export function verifyStamp({ path, size, modified }: FileStamp): void {
  const facts = builtin('fs')?.statSync(path, { throwIfNoEntry: false });
  if (facts?.size === size && facts.mtimeMs === modified) return;
  const what = facts ? 'has been changed' : 'is gone';
  throw new SardonyxError('FILE_UNREADABLE', `"${path}" ${what} since the model was loaded; load it again`);
}
