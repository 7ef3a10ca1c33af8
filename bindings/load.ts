import { isA, kindOf } from '../src/base/kind.js';
import { builtin } from './builtin.js';
import { bestVariant, type Variant } from './features.js';
import { pageAddress } from './page-address.js';
import { locate } from './wasm-files.js';
import type { KernelSetName, WasmFile, WasmSource } from './wasm-options.js';

/** The kernels for one thread or for several. */
export const loadKernels = (variant: Variant = bestVariant(), threaded = false): Promise<WebAssembly.Module> =>
  load(kernelFile(variant, threaded));

export const kernelFile = (variant: Variant, threaded: boolean, set: KernelSetName = 'sardonyx'): WasmFile =>
  `${set}.${variant}${threaded ? '-threads' : ''}.wasm`;

/** One of the package's binaries, from where the settings say. */
export const load = async (file: WasmFile): Promise<WebAssembly.Module> => compile(await locate(file));

/** The module in a file, a response or bytes. */
export async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (kindOf(source) === 'WebAssembly.Module') return source as WebAssembly.Module;
  if (typeof source === 'string') return compile(urlOf(source));
  if (isA(source, 'URL')) return naming(source.href, () => compileFrom(source));
  if (isA(source, 'Response')) return naming(source.url, () => compileResponse(source));
  return WebAssembly.compile(source as ArrayBuffer);
}

/** Does `work` with what is at a place, which whatever goes wrong will name. */
async function naming<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Error(`${place || 'the response'}: ${(cause as Error).message}`, { cause });
  }
}

const compileFrom = async (url: URL): Promise<WebAssembly.Module> =>
  url.protocol === 'file:' ? WebAssembly.compile(readFile(url)) : compileResponse(await fetch(url));

/** Compiles as the bytes arrive, where the server calls them what they are. */
async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const type = response.headers.get('content-type')?.toLowerCase();
  if (type?.startsWith('text/html')) throw new Error('a web page came instead');
  if (type === 'application/wasm' && 'compileStreaming' in WebAssembly) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

function readFile(url: URL): Uint8Array<ArrayBuffer> {
  const fs = builtin('fs');
  if (!fs) throw new Error('there is no file system here');
  return fs.readFileSync(url) as Uint8Array<ArrayBuffer>;
}

/** The URL that a string says, relative to the page; a path where there are files. */
export function urlOf(place: string): URL {
  const page = pageAddress();
  if (page || /^[a-z][a-z\d+.-]+:/i.test(place)) return new URL(place, page);
  const url = builtin('url');
  if (!url) throw new Error(`"${place}" is relative, and there is no page here that it could be relative to`);
  return url.pathToFileURL(place);
}
