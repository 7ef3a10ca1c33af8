import type { ExternalFile } from '../loading/source.js';
import type { SessionTypes } from './session-types.js';

type Given = NonNullable<SessionTypes.SessionOptions['externalData']>[number];

/** Files of tensor data as a session takes them; one given by its address alone is known by its name too. */
export function externalFiles(given: readonly Given[]): ExternalFile[] {
  return given.flatMap((file) => {
    if (typeof file !== 'string') return [file];
    return [file, file.slice(file.lastIndexOf('/') + 1)].map((path) => ({ path, data: file }));
  });
}
