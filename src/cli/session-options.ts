import { type Command, Option } from '@commander-js/extra-typings';
import { env, type OptimizationLevel, type SessionOptions } from '../session/options.js';
import { threadCount, wholeNumber } from './option-values.js';

export const LEVELS = [
  'disabled',
  'basic',
  'extended',
  'layout',
  'all',
] as const satisfies readonly OptimizationLevel[];
const VARIANTS = ['auto', 'simd', 'relaxed'] as const;

/** Options of every command that makes a session. */
export const withSessionOptions = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  command
    .option('--threads <n>', 'threads that work on a run; 0: one per core, at most 8', threadCount, 1)
    .addOption(new Option('--optimize <level>', 'how far to rewrite the graph').choices(LEVELS).default('all' as const))
    .addOption(
      new Option('--max-rewrites <n>', 'stop the optimizer after n rewrites, to find a wrong one').argParser(
        wholeNumber,
      ),
    )
    .addOption(new Option('--variant <name>', 'kernels to use').choices(VARIANTS).default('auto' as const));

interface ChosenOptions {
  readonly threads: number;
  readonly optimize: OptimizationLevel;
  readonly maxRewrites?: number | undefined;
  readonly variant: (typeof VARIANTS)[number];
}

export function sessionOptions({ threads, optimize, maxRewrites, variant }: ChosenOptions): SessionOptions {
  env.wasm.variant = variant;
  return {
    intraOpNumThreads: threads,
    graphOptimizationLevel: optimize,
    ...(maxRewrites !== undefined && { maxRewrites }),
  };
}
