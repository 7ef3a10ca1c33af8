import { load } from '../../../bindings/load.js';
import type { Decode } from '../picture.js';

/** Exports of libwebp: https://developers.google.com/speed/webp/docs/api#simpledecodingapi */
interface Libwebp {
  readonly memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  free(address: number): void;
  /** Returns the address of the pixels, or 0 on failure; writes width and height. */
  WebPDecodeRGBA(file: number, length: number, width: number, height: number): number;
}

const CHANNELS = 4;

/** Refuses file access, which libwebp does not need. */
const refuse = () => {
  throw new Error('the decoder asks for a file');
};
const IMPORTS = { wasi_snapshot_preview1: { fd_close: refuse, fd_seek: refuse, fd_write: refuse } };

export const loadWebp = async (): Promise<Decode> => webpDecoder(await load('webp-decoder.wasm'));

/** Creates an instance per picture, so that a damaged picture cannot affect later ones. */
export function webpDecoder(module: WebAssembly.Module): Decode {
  return (bytes) => {
    const { exports } = new WebAssembly.Instance(module, IMPORTS);
    const { memory, malloc, WebPDecodeRGBA } = exports as unknown as Libwebp;
    const [file, size] = [malloc(bytes.length), malloc(8)];
    new Uint8Array(memory.buffer).set(bytes, file);
    const pixels = WebPDecodeRGBA(file, bytes.length, size, size + 4);
    if (pixels === 0) throw new Error('the decoder refuses it');
    const [width, height] = new Uint32Array(memory.buffer, size, 2) as unknown as [number, number];
    const samples = new Uint8ClampedArray(memory.buffer, pixels, width * height * CHANNELS).slice();
    return { width, height, channels: CHANNELS, samples };
  };
}
