import { load } from '../../../bindings/load.js';
import type { Decode } from '../picture.js';
import { orientationOf, upright } from './exif.js';

/** Exports of libjpeg-turbo: https://libjpeg-turbo.org/Documentation/Documentation */
interface TurboJpeg {
  readonly memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  tjInitDecompress(): number;
  /** Writes width, height and two more words; returns 0 on success. */
  tjDecompressHeader3(
    decoder: number,
    file: number,
    length: number,
    ...words: [number, number, number, number]
  ): number;
  /** Returns 0 on success. */
  tjDecompress2(
    decoder: number,
    file: number,
    length: number,
    pixels: number,
    ...form: [number, number, number, number, number]
  ): number;
}

const CHANNELS = 4;
const RGBA = 7;
const MOST_BYTES = 2 ** 31;

/** Import for calls that libjpeg makes on errors: longjmp for an invalid file, and file access for messages. */
const refuse = () => {
  throw new Error('the decoder refuses it');
};
const nothing = () => 0;
const IMPORTS = {
  env: { setjmp: nothing, longjmp: refuse },
  wasi_snapshot_preview1: {
    environ_sizes_get: nothing,
    environ_get: nothing,
    proc_exit: refuse,
    fd_close: nothing,
    fd_seek: nothing,
    fd_write: refuse,
  },
};

export const loadJpeg = async (): Promise<Decode> => jpegDecoder(await load('jpeg-decoder.wasm'));

/** Creates an instance per picture, so that a damaged picture cannot affect later ones. */
export function jpegDecoder(module: WebAssembly.Module): Decode {
  return (bytes, isUpright = false) => {
    const { exports } = new WebAssembly.Instance(module, IMPORTS);
    const jpeg = exports as unknown as TurboJpeg;
    const [file, words, decoder] = [jpeg.malloc(bytes.length), jpeg.malloc(16), jpeg.tjInitDecompress()];
    new Uint8Array(jpeg.memory.buffer).set(bytes, file);
    const header = jpeg.tjDecompressHeader3(decoder, file, bytes.length, words, words + 4, words + 8, words + 12);
    if (header !== 0) refuse();
    const [width, height] = new Uint32Array(jpeg.memory.buffer, words, 2) as unknown as [number, number];
    const size = width * height * CHANNELS;
    const pixels = size < MOST_BYTES ? jpeg.malloc(size) : 0;
    if (pixels === 0) throw new Error(`${width} × ${height} pixels are more than the decoder has memory for`);
    jpeg.tjDecompress2(decoder, file, bytes.length, pixels, width, width * CHANNELS, height, RGBA, 0);
    const samples = new Uint8ClampedArray(jpeg.memory.buffer, pixels, size).slice();
    const picture = { width, height, channels: CHANNELS, samples };
    return isUpright ? upright(picture, orientationOf(bytes)) : picture;
  };
}
