import { setFlagsFromString } from 'node:v8';
import { bestVariant, type Variant } from '../../../bindings/features.js';
import { reference } from '../../../src/backends/reference/index.js';
import { type Backend, env, InferenceSession, type SessionOptions } from '../../../src/index.js';

/** A way to run a model; all must give the same. */
export interface Mode {
  readonly name: string;
  readonly options: SessionOptions;
  readonly variant?: Variant;
}

// Node 20 has relaxed SIMD behind this flag; later engines ignore it.
setFlagsFromString('--experimental-wasm-relaxed-simd');

const FIXED: readonly Mode[] = [
  { name: 'raw', options: { graphOptimizationLevel: 'disabled', guardBytes: 64 } },
  { name: 'basic', options: { graphOptimizationLevel: 'basic' } },
  { name: 'extended', options: { graphOptimizationLevel: 'extended' } },
  { name: 'layout', options: { graphOptimizationLevel: 'layout' } },
  { name: 'all, watched', options: { guardBytes: 128 } },
  { name: 'all, loose symbols, profiled', options: { looseSymbols: true, enableProfiling: true } },
];

/** Runs half of the nodes, by their names, with the plain definitions. */
const half: Backend = {
  name: 'half',
  supports: ({ node: { name } }) => [...name].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 2 === 0,
  compile: (graph) => reference.compile(graph),
};

const RAW = { graphOptimizationLevel: 'disabled' } as const;

const PROVIDERS: readonly Mode[] = [
  { name: 'reference', options: { ...RAW, executionProviders: ['reference'] } },
  { name: 'reference, all', options: { executionProviders: ['reference'] } },
  { name: 'two backends', options: { executionProviders: [half, 'wasm'] } },
];

const RELAXED: readonly Mode[] =
  bestVariant() === 'relaxed'
    ? [
        { name: 'raw on relaxed', options: { graphOptimizationLevel: 'disabled' }, variant: 'relaxed' },
        { name: 'all on relaxed, watched', options: { guardBytes: 64 }, variant: 'relaxed' },
      ]
    : [];

export const MODES: readonly Mode[] = [...FIXED, ...PROVIDERS, ...RELAXED];

/** After so many rewrites: what is between two of them must be right, too. */
export const partly = (maxRewrites: number): Mode => ({
  name: `after ${maxRewrites} rewrites`,
  options: { maxRewrites },
});

/** A team of three; it takes as long to start as a hundred small models to run. */
export const THREADED: Mode = { name: 'three threads', options: { intraOpNumThreads: 3 } };

export async function openIn({ options, variant = 'simd' }: Mode, bytes: Uint8Array): Promise<InferenceSession> {
  const before = env.wasm.variant;
  env.wasm.variant = variant;
  try {
    return await InferenceSession.create(bytes, { intraOpNumThreads: 1, ...options });
  } finally {
    env.wasm.variant = before;
  }
}
