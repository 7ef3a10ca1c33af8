/** A JPEG with an Exif segment that says how it was held. https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf, 4.6.2 */
export function held(jpeg: Uint8Array, orientation: number, bigEndian: boolean): Uint8Array {
  const [first, short] = bigEndian
    ? ['MM\0*\0\0\0\x08\0\x01', '\x01\x12\0\x03\0\0\0\x01\0']
    : ['II*\0\x08\0\0\0\x01\0', '\x12\x01\x03\0\x01\0\0\0'];
  const value = String.fromCharCode(orientation) + (bigEndian ? '\0\0' : '\0\0\0');
  const body = `Exif\0\0${first}${short}${value}\0\0\0\0`;
  const segment = `\xff\xe1\0${String.fromCharCode(body.length + 2)}${body}`;
  return Uint8Array.of(...jpeg.subarray(0, 2), ...Array.from(segment, (c) => c.charCodeAt(0)), ...jpeg.subarray(2));
}
