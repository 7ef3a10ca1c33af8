import { load } from '../../../bindings/load.js';
import type { Decode } from '../picture.js';

/** libwebp: https://developers.google.com/speed/webp/docs/api#simpledecodingapi */
interface Libwebp {
  readonly memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  free(address: number): void;
  /** The address of the pixels, 0 if there are none; writes width and height. */
  WebPDecodeRGBA(file: number, length: number, width: number, height: number): number;
}

const CHANNELS = 4;

/** libwebp writes no files. */
const refuse = () => {
  throw new Error('the decoder asks for a file');
};
const IMPORTS = { wasi_snapshot_preview1: { fd_close: refuse, fd_seek: refuse, fd_write: refuse } };

export const loadWebp = async (): Promise<Decode> => webpDecoder(await load('webp-decoder.wasm'));

/** Each picture has an instance of its own: what a damaged one leaves behind goes with it. */
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
