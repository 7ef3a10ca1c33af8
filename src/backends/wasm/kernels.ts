import { bestVariant, hasSimd } from '../../../bindings/features.js';
import { isForbidden } from '../../../bindings/forbidden.js';
import { compile, kernelFile } from '../../../bindings/load.js';
import { locate } from '../../../bindings/wasm-files.js';
import { type KernelSetName, type WasmSource, wasmOptions } from '../../../bindings/wasm-options.js';
import { hinted } from '../../advice/hinted.js';
import { SardonyxError } from '../../base/errors.js';
import { isA } from '../../base/kind.js';
import { codeOfMissing } from '../../base/not-loaded.js';

type Source = WasmSource | Promise<WasmSource>;

type Compiled = Map<Source, Promise<WebAssembly.Module>>;

/** For memory of one thread, and for memory that threads share. */
const [ofOne, ofTeams]: [Compiled, Compiled] = [new Map(), new Map()];

/** The compiled kernels; compiled once per source, tried again after a failure. */
export async function kernelModule(isShared = false, set?: KernelSetName): Promise<WebAssembly.Module> {
  if (typeof WebAssembly === 'undefined')
    throw new SardonyxError('UNSUPPORTED_PLATFORM', 'WebAssembly is not available');
  const compiled = isShared ? ofTeams : ofOne;
  let source: Source | undefined;
  try {
    const { variant } = wasmOptions;
    const found = locate(kernelFile(variant === 'auto' ? bestVariant() : variant, set));
    source = isA(found, 'URL') ? found.href : found;
    const loading = compiled.get(source) ?? Promise.resolve(source).then((given) => compile(given, isShared));
    compiled.set(source, loading);
    return await loading;
  } catch (cause) {
    if (source !== undefined) compiled.delete(source);
    throw unavailable(cause);
  }
}

/** Instantiates kernels, which a policy may forbid even if it allowed their compilation. */
export function instantiating<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw isForbidden(cause) ? unavailable(cause) : cause;
  }
}

function unavailable(cause: unknown): SardonyxError {
  const { message } = cause as Error;
  if (!hasSimd()) return new SardonyxError('UNSUPPORTED_PLATFORM', 'WebAssembly SIMD is not available', {}, { cause });
  const byPolicy = isForbidden(cause) && !isCloudflare();
  const error = new SardonyxError(
    byPolicy ? 'UNSUPPORTED_PLATFORM' : codeOfMissing(cause, 'INVALID_ARGUMENT'),
    `the kernels cannot be ${byPolicy ? 'compiled' : 'loaded'}: ${message} (see env.wasm.source)`,
    {},
    { cause },
  );
  const { source, wasmBinary, wasmPaths } = wasmOptions;
  const setting = Object.entries({ source, wasmBinary, wasmPaths }).find(([, value]) => value !== undefined)?.[0];
  return hinted(error, ({ noKernels }) => noKernels(message, byPolicy, isCloudflare(), setting));
}

const isCloudflare = () => globalThis.navigator?.userAgent === 'Cloudflare-Workers';
