/** Writes a PNG row by row: https://www.w3.org/TR/png-3/ */
export interface PngWriter {
  /** Writes rows of RGBA; alpha is dropped. */
  write(pixels: Uint8Array): Promise<void>;
  end(): Promise<Blob>;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const TRUECOLOUR = 2;
const SUB = 1;

export function createPng(width: number, height: number): PngWriter {
  const compression = new CompressionStream('deflate');
  const writer = compression.writable.getWriter();
  const parts: Uint8Array<ArrayBuffer>[] = [SIGNATURE, chunk('IHDR', header(width, height))];
  const collected = collect(compression.readable, parts);
  return {
    write: (pixels) => writer.write(filtered(pixels, width)),
    async end() {
      await writer.close();
      await collected;
      return new Blob([...parts, chunk('IEND', new Uint8Array(0))], { type: 'image/png' });
    },
  };
}

async function collect(readable: ReadableStream<Uint8Array<ArrayBuffer>>, parts: Uint8Array<ArrayBuffer>[]) {
  const reader = readable.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(chunk('IDAT', read.value));
}

function header(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes.set([8, TRUECOLOUR, 0, 0, 0], 8);
  return bytes;
}

/** RGB with the "Sub" filter in each row: differences to the pixel before, which are zero for most of a drawing. */
function filtered(pixels: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  const rows = pixels.length / (4 * width);
  const lines = new Uint8Array(rows * (1 + 3 * width));
  let to = 0;
  for (let row = 0; row < rows; row++) {
    lines[to++] = SUB;
    let [red, green, blue] = [0, 0, 0];
    for (let from = row * width * 4, end = from + width * 4; from < end; from += 4) {
      lines[to++] = (pixels[from] as number) - red;
      lines[to++] = (pixels[from + 1] as number) - green;
      lines[to++] = (pixels[from + 2] as number) - blue;
      red = pixels[from] as number;
      green = pixels[from + 1] as number;
      blue = pixels[from + 2] as number;
    }
  }
  return lines;
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 255] as number) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
