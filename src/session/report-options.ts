import { adviseOnce } from '../advice/warn.js';
import type { SessionOptions } from './options.js';
import type { RunOptions } from './run-options.js';

const SESSION: Readonly<Record<keyof SessionOptions, true>> = {
  graphOptimizationLevel: true,
  maxRewrites: true,
  explainRewrites: true,
  freeDimensionOverrides: true,
  looseSymbols: true,
  externalData: true,
  extraOutputs: true,
  onProgress: true,
  signal: true,
  limits: true,
  guardBytes: true,
  intraOpNumThreads: true,
  enableProfiling: true,
};

export const RUN: Readonly<Record<keyof RunOptions, true>> = {
  signal: true,
  limits: true,
  transfer: true,
  tag: true,
  logSeverityLevel: true,
  logVerbosityLevel: true,
  extra: true,
};

/** Reports options that nothing knows; onnxruntime's own are let pass. Settles when that is done. */
export function reportSessionOptions(options: SessionOptions): Promise<unknown> {
  const unknown = Object.entries(options).filter(([name]) => !(name in SESSION));
  return Promise.all(unknown.map(([name, value]) => report('create', name, value, SESSION)));
}

export function reportRunOptions(options: RunOptions): void {
  for (const name in options) if (!(name in RUN)) void report('run', name, options[name as keyof RunOptions], RUN);
}

const report = (of: 'create' | 'run', name: string, value: unknown, known: object) =>
  adviseOnce(`the option "${name}" of ${of} has no effect`, ({ unknownOption }, short) =>
    unknownOption(short, name, value, Object.keys(known)),
  );
