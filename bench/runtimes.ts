import { bestVariant } from '../bindings/features.js';

/** The API that all runtimes share: onnxruntime-common's, which Sardonyx implements too. */
export type Api = typeof import('../src/index.js');

export type RuntimeName = keyof typeof RUNTIMES;

interface Runtime {
  specifier: string;
  options(threads: number): Record<string, unknown>;
  /** Settings between import and the first session. */
  configure?(api: Api, variant: string, threads: number): void;
  /** The backend that this process really runs; throws if it is not the one to measure. */
  witness?(variant: string): string;
}

const sardonyx: Runtime = {
  specifier: './sardonyx/sardonyx/index.mjs',
  options: () => ({}),
  configure: (api, variant, numThreads) => Object.assign(api.env.wasm, { variant, numThreads }),
  witness: (variant) => `wasm, ${variant === 'auto' ? bestVariant() : variant}`,
};

export const RUNTIMES = {
  sardonyx,
  /** Another checkout of Sardonyx: `--against`. */
  before: { ...sardonyx, specifier: './before/sardonyx/index.mjs' },
  'onnxruntime-web': {
    specifier: 'onnxruntime-web',
    options: () => ({ executionProviders: ['wasm'], graphOptimizationLevel: 'all' }),
    configure: (api, _, numThreads) => Object.assign(api.env.wasm, { numThreads }),
    witness() {
      if (instances === 0) throw new Error('onnxruntime-web has not instantiated any WebAssembly');
      return 'wasm, simd';
    },
  },
  'onnxruntime-node': {
    specifier: 'onnxruntime-node',
    options: (intraOpNumThreads) => ({
      executionProviders: ['cpu'],
      graphOptimizationLevel: 'all',
      intraOpNumThreads,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    }),
    witness: () => 'native',
  },
} satisfies Record<string, Runtime>;

export const runtime = (name: RuntimeName): Runtime => RUNTIMES[name];

let instances = 0;

/** Starts counting the WebAssembly instances that are made. */
export function watchWebAssembly(): void {
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = ((...args: Parameters<typeof instantiate>) => {
    instances++;
    return instantiate(...args);
  }) as typeof instantiate;
}

/** A module's API, from an ES module or CommonJS. */
export async function load(name: RuntimeName): Promise<Api> {
  const module = await import(runtime(name).specifier);
  return module.InferenceSession ? module : module.default;
}
