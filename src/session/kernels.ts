import { bestVariant, type Variant } from '../../bindings/features.js';
import { loadKernels } from '../../bindings/load.js';
import { SardonyxError } from '../errors.js';
import { env } from './options.js';

const compiled = new Map<unknown, Promise<WebAssembly.Module>>();

/** The compiled kernels; compiled once per source, tried again after a failure. */
export function kernelModule(threaded = false): Promise<WebAssembly.Module> {
  const { source, variant } = env.wasm;
  const chosen: Variant = variant === 'auto' ? bestVariant() : variant;
  const key = source ?? `${chosen}${threaded}`;
  const known = compiled.get(key);
  if (known) return known;
  const loading = loadKernels(source, chosen, threaded).catch((cause) => {
    compiled.delete(key);
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `the kernels cannot be loaded: ${cause?.message ?? cause}`,
      {},
      { cause },
    );
  });
  compiled.set(key, loading);
  return loading;
}
