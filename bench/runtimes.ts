import { bestVariant } from '../bindings/features.js';

/** The API that all runtimes share: onnxruntime-common's, which is Sardonyx's too. */
export type Api = typeof import('../src/index.js');

export type RuntimeName = keyof typeof RUNTIMES;

interface Runtime {
  specifier: string;
  options: Record<string, unknown>;
  /** Settings between import and the first session. */
  configure?(api: Api, variant: string): void;
  /** What this process really runs; throws where that is not what is to be measured. */
  witness?(variant: string): string;
}

const oneThread = (api: Api) => Object.assign(api.env.wasm, { numThreads: 1 });

export const RUNTIMES = {
  sardonyx: {
    specifier: './sardonyx/index.mjs',
    options: {},
    configure(api, variant) {
      oneThread(api);
      Object.assign(api.env.wasm, { variant });
    },
    witness: (variant) => `wasm, ${variant === 'auto' ? bestVariant() : variant}`,
  },
  'onnxruntime-web': {
    specifier: 'onnxruntime-web',
    options: { executionProviders: ['wasm'], graphOptimizationLevel: 'all' },
    configure: oneThread,
    witness() {
      if (instances === 0) throw new Error('onnxruntime-web has not instantiated any WebAssembly');
      return 'wasm, simd';
    },
  },
  'onnxruntime-node': {
    specifier: 'onnxruntime-node',
    options: {
      executionProviders: ['cpu'],
      graphOptimizationLevel: 'all',
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    },
    witness: () => 'native',
  },
} satisfies Record<string, Runtime>;

export const runtime = (name: RuntimeName): Runtime => RUNTIMES[name];

let instances = 0;

/** Counts the WebAssembly instances that are made from now on. */
export function watchWebAssembly(): void {
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = ((...args: Parameters<typeof instantiate>) => {
    instances++;
    return instantiate(...args);
  }) as typeof instantiate;
}

/** A module's API, whether it is an ES module or CommonJS. */
export async function load(name: RuntimeName): Promise<Api> {
  const module = await import(runtime(name).specifier);
  return module.InferenceSession ? module : module.default;
}
