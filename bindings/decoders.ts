import { compile } from './load.js';

/** The image decoders that come as WebAssembly; tools/build-wasm.mjs puts them there. */
const FILES = {
  jpeg: () => new URL('../build/jpeg-decoder.wasm', import.meta.url),
  webp: () => new URL('../build/webp-decoder.wasm', import.meta.url),
};

export type DecoderName = keyof typeof FILES;

export const decoderModule = (name: DecoderName): Promise<WebAssembly.Module> => compile(FILES[name]());
