const strict = new TextDecoder('utf-8', { fatal: true });
const utf8 = new TextEncoder();

const EMPTY = '""';

/**
 * The bytes of a string as a line of text that `bytesOf` converts back: line breaks and backslashes are escaped as `\n` and `\\`,
 * and if the bytes are not UTF-8, all but printable ASCII as `\xff`.
 */
export function lineOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return EMPTY;
  try {
    const text = strict.decode(bytes.slice());
    return text === EMPTY
      ? '\\x22\\x22'
      : text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  } catch {
    return Array.from(bytes, byteText).join('');
  }
}

const byteText = (byte: number): string =>
  byte >= 32 && byte < 127 && byte !== 92 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, '\\': 92 };

/** The bytes of a line; other backslashes are literal. */
export function bytesOf(line: string): Uint8Array<ArrayBuffer> {
  if (line === EMPTY) return new Uint8Array();
  const parts = line.split(/(\\(?:[nr\\]|x[0-9a-fA-F]{2}))/);
  const bytes = parts.flatMap((part, i) => {
    if (i % 2 === 0) return [...utf8.encode(part)];
    return [part[1] === 'x' ? Number.parseInt(part.slice(2), 16) : (ESCAPES[part[1] as string] as number)];
  });
  return Uint8Array.from(bytes);
}
