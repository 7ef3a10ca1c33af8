import type { Variant } from '../../bindings/features.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import { env, type SessionOptions } from '../../src/session/options.js';
import { allVariants as variants } from '../assembly/kernels.js';
import { skipped } from '../skipped.js';
import { beyond, byTier } from '../tier.js';

/** The graph as the model says it, as it is rewritten, so with watched memory; and by the plain definitions of its operators. */
export const FORMS = {
  raw: { graphOptimizationLevel: 'disabled' },
  optimized: {},
  guarded: { guardBytes: 128 },
  reference: { graphOptimizationLevel: 'disabled', executionProviders: ['reference'] },
} as const satisfies Record<string, SessionOptions>;

/** One form of the graph on one binary. */
export interface Stage {
  readonly form: keyof typeof FORMS;
  readonly variant: Variant;
}

export const nameOf = ({ form, variant }: Stage): string => `${form} on ${variant}`;

/** Every form on every binary that this engine runs; the definitions need none. */
export const STAGES: readonly Stage[] = [
  ...variants.flatMap((variant) => (['raw', 'optimized', 'guarded'] as const).map((form) => ({ form, variant }))),
  { form: 'reference', variant: variants[0] as Variant },
];

/** The binary with fused multiply-add, where the engine has it. */
export const fastest = variants.at(-1) as Variant;

const isStrictest = ({ form, variant }: Stage) => form === 'guarded' && variant === fastest;

/**
 * The strictest stage alone, one of each form, or all; without the strictest where the tier before has been there. Optimized
 * graphs differ from guarded ones in where buffers are alone, and wait for tier all.
 */
export const CHOSEN: readonly Stage[] = byTier({
  quick: STAGES.filter(isStrictest),
  ci: STAGES.filter(({ form, variant }) => form === 'reference' || (variant === fastest && form !== 'optimized')),
  all: STAGES,
}).filter((stage) => !(beyond && isStrictest(stage)));

/** A session at that stage. */
export async function openAt({ form, variant }: Stage, bytes: Uint8Array): Promise<InferenceSession> {
  const chosen = env.wasm.variant;
  env.wasm.variant = variant;
  try {
    return await InferenceSession.create(bytes, FORMS[form]);
  } finally {
    env.wasm.variant = chosen;
  }
}

if (!variants.includes('relaxed')) skipped('stages on the binary `relaxed`; this engine cannot run it');
