import { locateOwn } from './own-file.js';
import { type WasmFile, type WasmSource, wasmOptions } from './wasm-options.js';

export type WasmFiles = Partial<Record<WasmFile, () => URL>>;

/** The package's binaries, written in the form that bundlers recognize. */
const OWN: WasmFiles = {
  'sardonyx.simd.wasm': () => new URL('../build/sardonyx.simd.wasm', import.meta.url),
  'sardonyx.relaxed.wasm': () => new URL('../build/sardonyx.relaxed.wasm', import.meta.url),
  'jpeg-decoder.wasm': () => new URL('../build/jpeg-decoder.wasm', import.meta.url),
  'webp-decoder.wasm': () => new URL('../build/webp-decoder.wasm', import.meta.url),
};

/** Registers more binaries. */
export const addFiles = (files: WasmFiles): void => void Object.assign(OWN, files);

/** The package's own binary. */
export const ownFile = (file: WasmFile): URL => locateOwn(file, (OWN[file] as () => URL)());

/** The configured location of a binary. */
export function locate(file: WasmFile): WasmSource | Promise<WasmSource> {
  const { source, wasmBinary, wasmPaths } = wasmOptions;
  if (typeof source === 'function') return source(file);
  if (typeof wasmPaths === 'string') return wasmPaths + file;
  const kernels = source ?? wasmBinary ?? wasmPaths?.wasm;
  return kernels && file.startsWith('sardonyx.') ? kernels : ownFile(file);
}
