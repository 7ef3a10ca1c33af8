import { SardonyxError } from '../errors.js';

const MOST_SHOWN = 24;
const isText = (byte: number) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13;

/** Web pages, messages in JSON and pointers of Git LFS come instead of a file that is elsewhere; no model begins with text. */
export const looksLikeText = (head: Uint8Array): boolean => head.length >= 8 && head.subarray(0, 16).every(isText);

/** What was received, for those who expected a model. */
export function described(head: Uint8Array, contentType?: string | null): string {
  const shown = head.subarray(0, MOST_SHOWN);
  const bytes = looksLikeText(head)
    ? JSON.stringify(new TextDecoder().decode(shown.slice()))
    : [...shown.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ') || 'none';
  return `${contentType ? `content type ${contentType}, ` : ''}first bytes ${bytes}`;
}

/** Refuses what is plainly no ONNX model. */
export function checkHead(name: string, head: Uint8Array, contentType?: string | null): void {
  if (!looksLikeText(head)) return;
  throw new SardonyxError('INVALID_MODEL', `${name} is no ONNX model: ${described(head, contentType)}`);
}
