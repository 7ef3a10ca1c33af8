import { bestVariant, type Variant } from './features.js';

/** Where the kernels may come from; without one, the file beside the package is read. */
export type WasmSource = WebAssembly.Module | ArrayBuffer | Uint8Array | URL | string | Response;

/** By variant: for one thread, for several. */
const FILES: Record<Variant, readonly [() => URL, () => URL]> = {
  simd: [
    () => new URL('../build/sardonyx.simd.wasm', import.meta.url),
    () => new URL('../build/sardonyx.simd-threads.wasm', import.meta.url),
  ],
  relaxed: [
    () => new URL('../build/sardonyx.relaxed.wasm', import.meta.url),
    () => new URL('../build/sardonyx.relaxed-threads.wasm', import.meta.url),
  ],
};

/** Relative to the package's own scripts. */
export const kernelUrl = (source: string): URL => new URL(source, import.meta.url);

export async function loadKernels(
  source?: WasmSource,
  variant: Variant = bestVariant(),
  threaded = false,
): Promise<WebAssembly.Module> {
  if (source === undefined) return compile(FILES[variant][threaded ? 1 : 0]());
  if (typeof source === 'string') return compile(kernelUrl(source));
  return compile(source);
}

/** The module in a file, a response or bytes. */
export async function compile(source: Exclude<WasmSource, string>): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL) {
    if (source.protocol === 'file:') return WebAssembly.compile(await readFileUrl(source));
    return compile(await fetch(source));
  }
  if (typeof Response !== 'undefined' && source instanceof Response) {
    return WebAssembly.compile(await source.arrayBuffer());
  }
  return WebAssembly.compile(source as Uint8Array<ArrayBuffer>);
}

async function readFileUrl(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { readFile } = await import('node:fs/promises');
  return (await readFile(url)) as Uint8Array<ArrayBuffer>;
}
