import { isA, kindOf } from '../src/base/kind.js';
import { builtin } from './builtin.js';
import { bestVariant, type Variant } from './features.js';
import { pageAddress } from './page-address.js';
import { onSharedMemory } from './shared-memory.js';
import { locate } from './wasm-files.js';
import type { KernelSetName, WasmFile, WasmSource } from './wasm-options.js';

/** Loads the kernels for one thread. */
export const loadKernels = (variant: Variant = bestVariant()): Promise<WebAssembly.Module> => load(kernelFile(variant));

export const kernelFile = (variant: Variant, set: KernelSetName = 'sardonyx'): WasmFile => `${set}.${variant}.wasm`;

/** Loads one of the package's binaries from the configured location. */
export const load = async (file: WasmFile): Promise<WebAssembly.Module> => compile(await locate(file));

/** Compiles a file, a response or bytes, for `shared` or unshared memory; a module is returned as it is. */
export async function compile(source: WasmSource, shared = false): Promise<WebAssembly.Module> {
  if (kindOf(source) === 'WebAssembly.Module') return source as WebAssembly.Module;
  if (typeof source === 'string') return compile(urlOf(source), shared);
  if (isA(source, 'URL')) return naming(source.href, () => compileFrom(source, shared));
  if (isA(source, 'Response')) return naming(source.url, () => compileResponse(source.clone(), shared));
  return compileBytes(source as ArrayBuffer, shared);
}

/** An error with a code, for missing files; files that are not WebAssembly have none. */
const notReceived = (message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code: 'DOWNLOAD' });

const compileBytes = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>, shared: boolean): Promise<WebAssembly.Module> =>
  WebAssembly.compile(shared ? onSharedMemory(bytes) : bytes);

/** Does `work` with a file; errors name the file. */
async function naming<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Error(`${place || 'the response'}: ${(cause as Error).message}`, { cause });
  }
}

const compileFrom = async (url: URL, shared: boolean): Promise<WebAssembly.Module> =>
  url.protocol === 'file:' ? compileBytes(readFile(url), shared) : compileResponse(await fetched(url), shared);

const fetched = (url: URL): Promise<Response> =>
  fetch(url).catch((cause: Error) => {
    throw notReceived(cause.message, cause);
  });

/** Compiles while the bytes arrive, if they need no change and have the content type of WebAssembly. */
async function compileResponse(response: Response, shared: boolean): Promise<WebAssembly.Module> {
  if (!response.ok) throw notReceived([response.status, response.statusText].filter(Boolean).join(' '));
  const type = response.headers.get('content-type')?.toLowerCase();
  if (type?.startsWith('text/html')) throw notReceived('a web page came instead');
  const canStream = !shared && type === 'application/wasm' && 'compileStreaming' in WebAssembly;
  return canStream ? WebAssembly.compileStreaming(response) : compileBytes(await response.arrayBuffer(), shared);
}

function readFile(url: URL): Uint8Array<ArrayBuffer> {
  const fs = builtin('fs');
  if (!fs) throw new Error('there is no file system here');
  return fs.readFileSync(url) as Uint8Array<ArrayBuffer>;
}

/** The URL of a string, relative to the page; a path on hosts with a file system. */
export function urlOf(place: string): URL {
  const page = pageAddress();
  if (page || /^[a-z][a-z\d+.-]+:/i.test(place)) return new URL(place, page);
  const url = builtin('url');
  if (!url) throw new Error(`"${place}" is relative, and there is no page to resolve it by`);
  return url.pathToFileURL(place);
}
