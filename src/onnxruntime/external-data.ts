import { reading } from '../base/arguments.js';
import type { ExternalFile } from '../loading/source.js';
import type { SessionTypes } from './session-types.js';

type Given = NonNullable<SessionTypes.SessionOptions['externalData']>[number];

/** External data files in a session's format. A file given by its URL alone is also known by its name. */
export const externalFiles = (given: readonly Given[]): readonly ExternalFile[] =>
  reading('externalData', () => (Array.isArray(given) ? given.flatMap(filesOf) : (given as never)));

const filesOf = (file: Given): ExternalFile[] =>
  typeof file === 'string'
    ? [file, file.slice(file.lastIndexOf('/') + 1)].map((path) => ({ path, data: file }))
    : [file];
