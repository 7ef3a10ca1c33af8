import { INTEGERS } from './odd.js';
import type { Random } from './random.js';
import { joined, varintBytes } from './wire.js';

export type ByteDamage = (bytes: Uint8Array, random: Random) => Uint8Array;

const spliced = (bytes: Uint8Array, at: number, removed: number, added: Uint8Array) =>
  joined([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);

const noise = (length: number, random: Random) => Uint8Array.from({ length }, () => random.below(256));

/** Where a varint begins that a tag or a length may be: behind a byte that could be a tag of a length. */
function lengthAt(bytes: Uint8Array, random: Random): number {
  const start = random.below(bytes.length);
  for (let i = start; i < bytes.length - 1; i++) if (((bytes[i] as number) & 7) === 2) return i + 1;
  return start;
}

const sizeOfVarint = (bytes: Uint8Array, at: number): number => {
  let end = at;
  while (end < bytes.length - 1 && (bytes[end] as number) > 127 && end < at + 9) end++;
  return end - at + 1;
};

/** Damage that knows nothing of models. */
export const BYTE_DAMAGES: Readonly<Record<string, ByteDamage>> = {
  'a bit flipped': (bytes, random) => {
    const at = random.below(bytes.length);
    return spliced(bytes, at, 1, Uint8Array.of((bytes[at] ?? 0) ^ (1 << random.below(8))));
  },
  'bytes replaced': (bytes, random) => {
    const copy = bytes.slice();
    for (let n = random.below(8) + 1; n > 0; n--) copy[random.below(copy.length)] = random.below(256);
    return copy;
  },
  truncated: (bytes, random) => bytes.slice(0, random.below(bytes.length)),
  'a piece repeated': (bytes, random) => {
    const from = random.below(bytes.length);
    const piece = bytes.subarray(from, from + random.below(64));
    return spliced(bytes, from, 0, joined(new Array(random.pick([1, 2, 40])).fill(piece)));
  },
  'a piece left out': (bytes, random) => spliced(bytes, random.below(bytes.length), random.below(32), new Uint8Array()),
  'noise inserted': (bytes, random) =>
    spliced(bytes, random.below(bytes.length), 0, noise(random.below(16) + 1, random)),
  'nothing but noise': (bytes, random) => noise(random.below(bytes.length), random),
  'two pieces exchanged': (bytes, random) => {
    const length = random.below(24) + 1;
    const [a, b] = [random.below(bytes.length), random.below(bytes.length)];
    const copy = bytes.slice();
    copy.set(bytes.subarray(b, Math.min(b + length, bytes.length - Math.max(0, a - b))), a);
    return copy;
  },
  'a varint huge, negative or overlong': (bytes, random) => {
    const at = lengthAt(bytes, random);
    return spliced(
      bytes,
      at,
      sizeOfVarint(bytes, at),
      varintBytes(random.pick(INTEGERS), random.pick([0, 0, 0, 1, 9])),
    );
  },
  'a length changed': (bytes, random) => {
    const at = lengthAt(bytes, random);
    const copy = bytes.slice();
    copy[at] = (copy[at] ?? 0) + random.pick([1, -1, 2, -2, 10, 100]);
    return copy;
  },
};
