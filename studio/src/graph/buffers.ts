/** The distinct buffers of all typed arrays in a plain object, for transfer. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  collect(value, found);
  return [...found];
}

function collect(value: unknown, into: Set<ArrayBuffer>): void {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) into.add(value.buffer);
  } else if (Array.isArray(value)) {
    if (typeof value[0] === 'object') for (const item of value) collect(item, into);
  } else if (value !== null && typeof value === 'object' && !(value instanceof Blob)) {
    for (const item of Object.values(value)) collect(item, into);
  }
}
