import type { Suspect } from '../base/first-bytes.js';
import { type Field, firstFields } from './protobuf.js';

/** A file as those who recognize it look at it. */
export interface Look extends Suspect {
  /** The first bytes as characters of one byte each. */
  readonly text: string;
  readonly fields: readonly Field[];
  /** The file's name in lower case, without folders and what follows in an address. */
  readonly ending: string;
}

export const lookAt = (suspect: Suspect): Look => ({
  ...suspect,
  text: Array.from(suspect.head, (byte) => String.fromCharCode(byte)).join(''),
  fields: firstFields(suspect.head),
  ending: (suspect.name.split(/[?#]/)[0] as string).toLowerCase(),
});

export type Say = string | ((look: Look) => string);

/** What a file is, how that is seen, and what to do about it. */
export interface Kind {
  readonly is: (look: Look) => boolean;
  readonly what: Say;
  readonly remedy: Say;
}
