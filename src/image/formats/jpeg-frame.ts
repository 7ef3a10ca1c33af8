const [START_OF_FRAME, LAST_FRAME, START_OF_SCAN] = [0xc0, 0xcf, 0xda];
/** Markers in the range of frames that are not frames: Huffman tables, an extension, arithmetic coding. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

interface JpegFrame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
}

/** The frame header of a JPEG, if there is one before the first scan. https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B */
export function jpegFrame(bytes: DataView): JpegFrame | undefined {
  for (let at = 2; at + 9 < bytes.byteLength && bytes.getUint8(at) === 0xff; ) {
    const marker = bytes.getUint8(at + 1);
    if (marker === START_OF_SCAN) return undefined;
    if (marker >= START_OF_FRAME && marker <= LAST_FRAME && !NO_FRAMES.includes(marker))
      return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5), components: bytes.getUint8(at + 9) };
    at += marker === 0xff ? 1 : 2 + bytes.getUint16(at + 2);
  }
  return undefined;
}
