/** A 32-bit cyclic redundancy check with a polynomial in reversed bit order. */
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

/** The checksum of PNG. */
export const crc32: (bytes: Uint8Array) => number = check(0xedb88320);

/** The Castagnoli checksum of log records. */
export const crc32c: (bytes: Uint8Array) => number = check(0x82f63b78);

/** Masks a checksum as records do: rotated and offset, so that data which contain checksums are checked reliably. */
export function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
