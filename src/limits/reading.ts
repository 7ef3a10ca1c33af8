/** Nested messages of a model by field number. Other fields count by their length. */
const CHILDREN = {
  model: { 7: 'graph', 8: 'leaf', 14: 'leaf', 25: 'function' },
  graph: { 1: 'node', 5: 'tensor', 11: 'leaf', 12: 'leaf', 13: 'leaf', 15: 'sparse' },
  function: { 7: 'node', 11: 'attribute' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparse', 23: 'sparse' },
  sparse: { 1: 'tensor', 2: 'tensor' },
  tensor: {},
  leaf: {},
} as const satisfies Record<string, Readonly<Record<number, string>>>;

type Message = keyof typeof CHILDREN;

/** Raw data of a tensor, which is not copied. */
const RAW_DATA = 9;

/** A message of two bytes took 180 to 320 bytes as a protobuf object, and as many again in the graph; a number of one byte took 48. */
const BYTES_PER_MESSAGE = 512;
const BYTES_PER_BYTE = 48;

/** Models with deeper nesting are not read. */
const DEEPEST = 100;

/** Estimates the bytes of memory that reading a model takes; 0 for other files. */
export function bytesToRead(bytes: Uint8Array): number {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; at < bytes.length; scale *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value;
  };
  const message = (kind: Message, end: number, depth: number): number => {
    let need = BYTES_PER_MESSAGE;
    while (at < end && depth < DEEPEST) {
      const tag = varint();
      const [field, wire] = [Math.floor(tag / 8), tag % 8];
      if (wire === 0) varint();
      else if (wire === 1) at += 8;
      else if (wire === 5) at += 4;
      else if (wire !== 2) return need;
      need += BYTES_PER_BYTE;
      if (wire !== 2) continue;
      const length = varint();
      const fieldEnd = Math.min(at + length, end);
      const child = (CHILDREN[kind] as Readonly<Record<number, Message>>)[field];
      if (child) need += message(child, fieldEnd, depth + 1);
      else if (kind !== 'tensor' || field !== RAW_DATA) need += BYTES_PER_BYTE * (fieldEnd - at);
      at = fieldEnd;
    }
    return need;
  };
  return message('model', bytes.length, 0);
}
