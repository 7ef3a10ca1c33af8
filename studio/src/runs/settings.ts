/** How far the graph is rewritten, in the order of how much is done. */
export const LEVELS = ['all', 'layout', 'extended', 'basic', 'disabled'] as const;
/** Kernels: what the engine can, or plain SIMD, or relaxed SIMD. */
export const VARIANTS = ['auto', 'simd', 'relaxed'] as const;

export interface Settings {
  readonly level: (typeof LEVELS)[number];
  readonly variant: (typeof VARIANTS)[number];
  /** 1 in a page that is not isolated; 0: one per core, at most 8. */
  readonly threads: number;
}

export const DEFAULTS: Settings = { level: 'all', variant: 'auto', threads: 0 };

/** `all · relaxed · 4 threads`, with what is as usual left out. */
export function describeSettings({ level, variant, threads }: Settings): string {
  const parts = [
    level === 'all' ? 'optimized' : level === 'disabled' ? 'not optimized' : `optimization level ${level}`,
    variant === 'auto' ? '' : variant,
    threads === 0 ? '' : threads === 1 ? '1 thread' : `${threads} threads`,
  ];
  return parts.filter(Boolean).join(' · ');
}
