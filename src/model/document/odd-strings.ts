const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Base of the lone surrogates U+DC80 … U+DCFF that represent bytes of invalid UTF-8, as in Python's `surrogateescape`. */
const ESCAPE = 0xdc00;

/** Decodes any bytes to text that `bytesOfText` encodes to the same bytes. */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return escaped(bytes);
  }
}

/** Decodes valid UTF-8 characters, and escapes other bytes one by one. */
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

/** Length in bytes of the UTF-8 character at `at`; 0 if there is none. */
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
