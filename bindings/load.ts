import { builtin } from './builtin.js';
import { bestVariant, type Variant } from './features.js';
import { locate, type WasmFile } from './wasm-files.js';
import type { WasmSource } from './wasm-options.js';

/** The kernels for one thread or for several. */
export const loadKernels = (variant: Variant = bestVariant(), threaded = false): Promise<WebAssembly.Module> =>
  load(kernelFile(variant, threaded));

export const kernelFile = (variant: Variant, threaded: boolean): WasmFile =>
  `sardonyx.${variant}${threaded ? '-threads' : ''}.wasm`;

/** One of the package's binaries, from where the settings say. */
export const load = async (file: WasmFile): Promise<WebAssembly.Module> => compile(await locate(file));

/** The module in a file, a response or bytes. */
export async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string') return compile(urlOf(source));
  if (source instanceof URL) {
    if (source.protocol === 'file:') return WebAssembly.compile(readFile(source));
    return compile(await fetch(source));
  }
  if (typeof Response !== 'undefined' && source instanceof Response) return compileResponse(source);
  return WebAssembly.compile(source as ArrayBuffer);
}

/** Compiles as the bytes arrive, where the server calls them what they are. */
async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`${response.status} ${response.statusText} for ${response.url}`);
  const isTyped = response.headers.get('content-type')?.startsWith('application/wasm');
  if (isTyped && 'compileStreaming' in WebAssembly) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

function readFile(url: URL): Uint8Array<ArrayBuffer> {
  const fs = builtin('fs');
  if (!fs) throw new Error(`${url} is a file, and there is no file system here`);
  return fs.readFileSync(url) as Uint8Array<ArrayBuffer>;
}

/** The URL that a string says, relative to the page; a path where there are files. */
export function urlOf(place: string): URL {
  const page = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (page || /^[a-z][a-z\d+.-]+:/i.test(place)) return new URL(place, page);
  const url = builtin('url');
  if (!url) throw new Error(`"${place}" is relative, and there is no page here that it could be relative to`);
  return url.pathToFileURL(place);
}
