import type { Suspect } from '../base/first-bytes.js';
import { type Field, firstFields } from './protobuf.js';

/** Input of the tests for file kinds. */
export interface Look extends Suspect {
  /** The first bytes, one character each. */
  readonly text: string;
  readonly fields: readonly Field[];
  /** The file's path in lower case, without the query and fragment of a URL. */
  readonly ending: string;
}

export const lookAt = (suspect: Suspect): Look => ({
  ...suspect,
  text: Array.from(suspect.head, (byte) => String.fromCharCode(byte)).join(''),
  fields: firstFields(suspect.head),
  ending: (suspect.name.split(/[?#]/)[0] as string).toLowerCase(),
});

export type Say = string | ((look: Look) => string);

/** A kind of file: how to recognize it, what it is, and a remedy. */
export interface Kind {
  readonly is: (look: Look) => boolean;
  readonly what: Say;
  readonly remedy: Say;
}
