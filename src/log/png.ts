import { SardonyxError } from '../base/errors.js';
import { crc32 } from './checksum.js';
import { concat, type Field } from './fields.js';

/** 8-bit samples by row, channels interleaved: gray, gray and alpha, RGB or RGBA, depending on their number. */
export interface Samples {
  readonly data: Uint8ClampedArray | Uint8Array;
  readonly width: number;
  readonly height: number;
}

export const SIGNATURE: Uint8Array = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** PNG's color type by number of channels; there is none for 0. */
const COLOUR_TYPES = [-1, 0, 4, 2, 6];

export const channelsOf = ({ data, width, height }: Samples): number => data.length / (width * height);

function chunk(name: string, data: Uint8Array): Field {
  const framed = new Uint8Array(data.length + 12);
  const view = new DataView(framed.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) framed[4 + i] = name.charCodeAt(i);
  framed.set(data, 8);
  view.setUint32(data.length + 8, crc32(framed.subarray(4, data.length + 8)));
  return framed;
}

function header({ width, height }: Samples, channels: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(13));
  view.setUint32(0, width);
  view.setUint32(4, height);
  view.setUint8(8, 8);
  view.setUint8(9, COLOUR_TYPES[channels] as number);
  return new Uint8Array(view.buffer);
}

/** Rows with the filter that subtracts the pixel to the left, each preceded by the filter's number. */
function filtered({ data, width, height }: Samples, channels: number): Field {
  const length = width * channels;
  const rows = new Uint8Array((length + 1) * height);
  for (let y = 0; y < height; y++) {
    const [from, to] = [y * length, y * (length + 1) + 1];
    rows[to - 1] = 1;
    for (let i = 0; i < length; i++)
      rows[to + i] = (data[from + i] as number) - (i < channels ? 0 : (data[from + i - channels] as number));
  }
  return rows;
}

async function deflated(bytes: Field): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @throws SardonyxError UNSUPPORTED_PLATFORM if the platform cannot compress */
export async function encodePng(samples: Samples): Promise<Uint8Array> {
  if (typeof CompressionStream === 'undefined')
    throw new SardonyxError(
      'UNSUPPORTED_PLATFORM',
      'this platform has no CompressionStream to encode the image; pass a PNG file as a Uint8Array',
    );
  const channels = channelsOf(samples);
  const rows = await deflated(filtered(samples, channels));
  return concat([
    SIGNATURE,
    chunk('IHDR', header(samples, channels)),
    chunk('IDAT', rows),
    chunk('IEND', new Uint8Array()),
  ]);
}
