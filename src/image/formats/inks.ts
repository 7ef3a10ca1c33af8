const [START_OF_FRAME, LAST_FRAME, START_OF_SCAN] = [0xc0, 0xcf, 0xda];
/** Between frames: tables of Huffman codes, an extension, arithmetic coding. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];
const INKS = 4;

/** Whether a JPEG is printed in four inks, which mozjpeg does not mix. https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B */
export function isCmykJpeg(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return false;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] as number;
    if (marker === START_OF_SCAN) return false;
    if (marker >= START_OF_FRAME && marker <= LAST_FRAME && !NO_FRAMES.includes(marker)) return bytes[at + 9] === INKS;
    at += marker === 0xff ? 1 : 2 + (bytes[at + 2] as number) * 256 + (bytes[at + 3] as number);
  }
  return false;
}
