import { type Command, Option } from '@commander-js/extra-typings';
import type { Limits } from '../limits.js';
import type { OptimizationLevel } from '../optimize/options.js';
import { env, type SessionOptions } from '../session/options.js';
import { atLeastOne, type ProviderName, providers, threadCount, wholeNumber } from './option-values.js';

export const LEVELS = [
  'disabled',
  'basic',
  'extended',
  'layout',
  'all',
] as const satisfies readonly OptimizationLevel[];
const KERNELS: ProviderName[] = ['wasm'];
const VARIANTS = ['auto', 'simd', 'relaxed'] as const;

/** Options of every command that creates a session. */
export const withSessionOptions = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  command
    .option('--threads <n>', 'number of threads; 0 for one per core, up to 8', threadCount, 1)
    .addOption(new Option('--optimize <level>', 'graph optimization level').choices(LEVELS).default('all' as const))
    .addOption(
      new Option('--max-rewrites <n>', 'stop the optimizer after n rewrites, to find a faulty one').argParser(
        wholeNumber,
      ),
    )
    .option('--limit-memory <bytes>', 'fail if the model needs more memory', atLeastOne)
    .option('--limit-nodes <n>', 'fail if the model has more nodes after its functions are inlined', atLeastOne)
    .option('--limit-time <ms>', 'fail if loading or a run takes longer', atLeastOne)
    .addOption(new Option('--variant <name>', 'kernel variant').choices(VARIANTS).default('auto' as const))
    .addOption(
      new Option('--providers <names>', 'execution providers in order of preference: wasm, reference')
        .argParser(providers)
        .default(KERNELS, 'wasm'),
    );

interface ChosenOptions {
  readonly threads: number;
  readonly optimize: OptimizationLevel;
  readonly maxRewrites?: number | undefined;
  readonly limitMemory?: number | undefined;
  readonly limitNodes?: number | undefined;
  readonly limitTime?: number | undefined;
  readonly variant: (typeof VARIANTS)[number];
  readonly providers: readonly ProviderName[];
}

export function sessionOptions(chosen: ChosenOptions): SessionOptions {
  const { threads, optimize, maxRewrites, variant, providers: executionProviders } = chosen;
  const limits = limitsIn(chosen);
  env.wasm.variant = variant;
  return {
    intraOpNumThreads: threads,
    graphOptimizationLevel: optimize,
    executionProviders,
    ...(maxRewrites !== undefined && { maxRewrites }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

const limitsIn = ({ limitMemory, limitNodes, limitTime }: ChosenOptions): Limits => ({
  ...(limitMemory !== undefined && { memoryBytes: limitMemory }),
  ...(limitNodes !== undefined && { nodes: limitNodes }),
  ...(limitTime !== undefined && { milliseconds: limitTime }),
});
