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
