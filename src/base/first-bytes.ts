/** What is known about a file that may not be a model. */
export interface Suspect {
  readonly name: string;
  /** Its first bytes, at most SHOWN. */
  readonly head: Uint8Array;
  /** Bytes that there are. */
  readonly size: number;
  /** Where the last field of it that was begun ends: further on in a file that was cut short. */
  readonly reach: number;
  readonly contentType?: string | null | undefined;
}

/** Bytes by which a file can be recognized. */
export const SHOWN = 2048;
/** Bytes by which text can. */
export const HEAD = 32;

const isText = (byte: number) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13;

/** Web pages, messages in JSON and pointers of Git LFS come instead of a file that is elsewhere; no model begins with text. */
export const looksLikeText = (head: Uint8Array): boolean => head.length >= 8 && head.subarray(0, 16).every(isText);
