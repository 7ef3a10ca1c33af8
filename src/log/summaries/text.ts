import type { Field } from '../fields.js';
import { shownBy, textTensor, value } from './value.js';

/** One or several Markdown texts. */
export const texts = (tag: string, strings: readonly string[]): Field =>
  value(tag, textTensor(strings), shownBy('text', new Uint8Array()));
