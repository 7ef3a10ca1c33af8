import { fromBase64, toBase64 } from './annotations.js';

/** Instructions to build bytes from others: ranges by offset and length, and new bytes in base64. */
export type Delta = readonly (string | readonly [offset: number, length: number])[];

/** Size of the blocks in the search for common ranges. */
const BLOCK = 32;
const BASE = 0x01000193;
const LEADING = Array.from({ length: BLOCK - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** Finds ranges of `to` anywhere in `from`: https://rsync.samba.org/tech_report */
export function deltaOf(from: Uint8Array, to: Uint8Array): Delta {
  const blocks = new Map<number, number>();
  for (let at = 0; at + BLOCK <= from.length; at += BLOCK) blocks.set(hashAt(from, at), at);
  const delta: (string | [number, number])[] = [];
  let own = 0;
  let at = 0;
  let hash = hashAt(to, 0);
  while (at + BLOCK <= to.length) {
    const offset = blocks.get(hash);
    const length = offset === undefined ? 0 : lengthInCommon(from, offset, to, at);
    if (length < BLOCK) {
      hash = rolled(to, at, hash);
      at++;
      continue;
    }
    if (at > own) delta.push(toBase64(to.subarray(own, at)));
    delta.push([offset as number, length]);
    own = at += length;
    hash = hashAt(to, at);
  }
  if (own < to.length) delta.push(toBase64(to.subarray(own)));
  return delta;
}

function hashAt(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let i = at; i < at + BLOCK; i++) hash = (Math.imul(hash, BASE) + (bytes[i] ?? 0)) | 0;
  return hash;
}

const rolled = (bytes: Uint8Array, at: number, hash: number): number =>
  (Math.imul(hash - Math.imul(bytes[at] as number, LEADING), BASE) + (bytes[at + BLOCK] ?? 0)) | 0;

function lengthInCommon(a: Uint8Array, atA: number, b: Uint8Array, atB: number): number {
  const most = Math.min(a.length - atA, b.length - atB);
  let length = 0;
  while (length < most && a[atA + length] === b[atB + length]) length++;
  return length;
}

export function patched(from: Uint8Array, delta: Delta): Uint8Array {
  const parts = delta.map((part) =>
    typeof part === 'string' ? fromBase64(part) : from.subarray(part[0], part[0] + part[1]),
  );
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
