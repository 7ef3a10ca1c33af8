/**
 * JSON in pieces, since data may exceed the longest string: nested values are indented, a list of plain values is one line.
 * Values without a JSON form become strings (NaN, infinities, large integers), arrays or objects.
 */
export function* jsonText(value: unknown, indent = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) yield plain(value);
  else if (ArrayBuffer.isView(value)) yield* list(value as Uint8Array, indent);
  else if (Array.isArray(value)) yield* list(value, indent);
  else yield* fields(value instanceof Map ? [...value] : Object.entries(value), indent);
}

function plain(value: unknown): string {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? String(value) : `"${value}"`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`;
  return JSON.stringify(value ?? null);
}

const PIECE = 4096;

function* list(items: ArrayLike<unknown>, indent: string): Generator<string> {
  const isFlat = typeof items[0] !== 'object' || items[0] === null;
  if (!isFlat || items.length === 0) {
    yield* block(
      '[',
      ']',
      Array.from(items, (item) => ({ key: '', item })),
      indent,
    );
    return;
  }
  yield '[';
  for (let i = 0; i < items.length; i += PIECE) {
    const piece = Array.from({ length: Math.min(PIECE, items.length - i) }, (_, k) => plain(items[i + k]));
    yield `${i === 0 ? '' : ', '}${piece.join(', ')}`;
  }
  yield ']';
}

const fields = (entries: readonly (readonly [unknown, unknown])[], indent: string) =>
  block(
    '{',
    '}',
    entries
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => ({ key: `${JSON.stringify(String(key))}: `, item })),
    indent,
  );

function* block(
  open: string,
  close: string,
  entries: readonly { readonly key: string; readonly item: unknown }[],
  indent: string,
): Generator<string> {
  if (entries.length === 0) {
    yield open + close;
    return;
  }
  const inner = `${indent}  `;
  yield open;
  for (const [i, { key, item }] of entries.entries()) {
    yield `${i === 0 ? '' : ','}\n${inner}${key}`;
    yield* jsonText(item, inner);
  }
  yield `\n${indent}${close}`;
}

/** Joins pieces into chunks that are worth a write each. */
export function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < 1 << 16) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
