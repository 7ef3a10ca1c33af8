import { adviseOnce } from '../advice/warn.js';
import type { SessionOptions } from './options.js';

/** Without execution providers, which are checked separately, because onnxruntime has others. */
const SESSION: Readonly<Record<Exclude<keyof SessionOptions, 'executionProviders'>, true>> = {
  graphOptimizationLevel: true,
  maxRewrites: true,
  explainRewrites: true,
  freeDimensionOverrides: true,
  looseSymbols: true,
  looseScalars: true,
  externalData: true,
  extraOutputs: true,
  onProgress: true,
  signal: true,
  limits: true,
  guardBytes: true,
  intraOpNumThreads: true,
  enableProfiling: true,
};

/** Reports unknown options, except onnxruntime's. Settles when all have been reported. */
export function reportSessionOptions(options: SessionOptions): Promise<unknown> {
  const unknown = Object.entries(options).filter(([name]) => !(name in SESSION));
  return Promise.all(unknown.map(([name, value]) => report('create', name, value, SESSION)));
}

/** Reports an option without effect, together with the known ones. */
export const report = (of: 'create' | 'run', name: string, value: unknown, known: object) =>
  adviseOnce(`the option "${name}" of ${of} has no effect`, ({ unknownOption }, short) =>
    unknownOption(short, name, value, Object.keys(known)),
  );
