/** A cyclic redundancy check of 32 bits by its polynomial, bits reversed. */
function check(polynomial: number): (bytes: Uint8Array) => number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
    return rest;
  });
  return (bytes) => {
    let rest = -1;
    for (let i = 0; i < bytes.length; i++) rest = (rest >>> 8) ^ (table[(rest ^ (bytes[i] as number)) & 255] as number);
    return ~rest >>> 0;
  };
}

/** PNG's. */
export const crc32: (bytes: Uint8Array) => number = check(0xedb88320);

/** Castagnoli's, of records of logs. */
export const crc32c: (bytes: Uint8Array) => number = check(0x82f63b78);

/** As a record has it: turned and displaced, so that data which hold checksums are checked as well as others. */
export function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
