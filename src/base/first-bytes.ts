/** Information about a file that may not be a model. */
export interface Suspect {
  readonly name: string;
  /** The first bytes, at most SHOWN. */
  readonly head: Uint8Array;
  /** Number of available bytes. */
  readonly size: number;
  /** The end of the last field that starts in the file; beyond `size` in a truncated file. */
  readonly reach: number;
  readonly contentType?: string | null | undefined;
}

/** Number of bytes that identify a file format. */
export const SHOWN = 2048;
/** Number of bytes that identify text. */
export const HEAD = 32;

const isText = (byte: number) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13;

/** Whether a file is text: a web page, a JSON message or a Git LFS pointer in place of a model. No model starts with text. */
export const looksLikeText = (head: Uint8Array): boolean => head.length >= 8 && head.subarray(0, 16).every(isText);
