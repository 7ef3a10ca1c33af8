const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A byte that is no part of UTF-8 stands as a lone surrogate, as Python's `surrogateescape` has it: U+DC80 … U+DCFF. */
const ESCAPE = 0xdc00;

/** The text of bytes of any kind, from which `bytesOfText` makes the same bytes. */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return escaped(bytes);
  }
}

/** Whole characters by UTF-8, other bytes one by one. */
function escaped(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at);
    const part = bytes.subarray(at, at + Math.max(length, 1));
    parts.push(length ? strict.decode(part) : String.fromCharCode(ESCAPE + (part[0] as number)));
    at += part.length;
  }
  return parts.join('');
}

/** Bytes of the character that begins there; 0 where none does. */
function characterAt(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    try {
      strict.decode(bytes.subarray(at, at + length));
      return length;
    } catch {}
  }
  return 0;
}

const encoder = new TextEncoder();
const LONE = /(?<![\ud800-\udbff])([\udc80-\udcff])/;

export const hasOddBytes = (text: string): boolean => LONE.test(text);

export function bytesOfText(text: string): Uint8Array {
  if (!hasOddBytes(text)) return encoder.encode(text);
  const parts = text.split(LONE).map((part, i) => (i % 2 ? [part.charCodeAt(0) - ESCAPE] : [...encoder.encode(part)]));
  return Uint8Array.from(parts.flat());
}
