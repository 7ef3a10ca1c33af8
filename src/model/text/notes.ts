import type { Reader, Writer } from 'protobufjs/minimal.js';
import { decodeExactly } from '../document/decode.js';
import { encodeExactly } from '../document/encode.js';
import { differences } from './annotations.js';
import { LOSSLESS, NOTE, Scanner } from './scanner.js';

interface Message<T> {
  encode(message: T, writer: Writer): Writer;
  decode(reader: Reader): T;
}

/** The annotations for properties of a message that its text lacks. */
export function unsaid<T extends object>(
  message: Message<T>,
  parse: (scanner: Scanner) => T,
  text: string,
  whole: object,
): string[] {
  const read = encodeExactly(message, parse(new Scanner(`${LOSSLESS}\n${text}`)));
  return differences(decodeExactly(message, read, 'message'), whole);
}

/** Annotations as comments, one per line. */
export const notesOf = (differences: readonly string[], indent = ''): string =>
  differences.map((difference) => `${indent}${NOTE} ${difference}\n`).join('');
