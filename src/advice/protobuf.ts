/** A top-level field of a protobuf message: a number, or bytes, which end where the excerpt ends. */
export interface Field {
  readonly number: number;
  readonly wire: number;
  readonly value: number;
  readonly bytes: Uint8Array;
}

/** A varint and the position after it; undefined if the bytes end before. */
function varintAt(bytes: Uint8Array, at: number): readonly [value: number, end: number] | undefined {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    value += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) return [value, at + i + 1];
  }
  return undefined;
}

const FIXED: Readonly<Record<number, number>> = { 1: 8, 5: 4 };
const NOTHING = new Uint8Array();

/** The fields in the first bytes of a message; none if they are not those of a message. */
export function firstFields(bytes: Uint8Array): readonly Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = varintAt(bytes, at);
    if (!tag) break;
    const [number, wire] = [Math.floor(tag[0] / 8), tag[0] % 8];
    const next = wire in FIXED ? ([0, tag[1] + (FIXED[wire] as number)] as const) : varintAt(bytes, tag[1]);
    if (number === 0 || (wire !== 0 && wire !== 2 && !(wire in FIXED))) return [];
    if (!next) break;
    const [value, start] = next;
    const end = wire === 2 ? start + value : start;
    fields.push({ number, wire, value, bytes: wire === 2 ? bytes.subarray(start, end) : NOTHING });
    at = end;
  }
  return fields;
}

const text = new TextDecoder('utf-8', { fatal: true });

/** Whether the bytes are printable text, and not empty. */
export function isWord(bytes: Uint8Array): boolean {
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return bytes.length > 0 && !/[\x00-\x08\x0e-\x1f]/.test(text.decode(bytes.slice()));
  } catch {
    return false;
  }
}
