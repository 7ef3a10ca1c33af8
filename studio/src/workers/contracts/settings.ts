/** Optimization levels, from most to least. */
export const LEVELS = ['all', 'layout', 'extended', 'basic', 'disabled'] as const;
/** Kernels: whatever the engine supports, plain SIMD, or relaxed SIMD. */
export const VARIANTS = ['auto', 'simd', 'relaxed'] as const;

export interface Settings {
  readonly level: (typeof LEVELS)[number];
  readonly variant: (typeof VARIANTS)[number];
  /** 1 on a page that is not cross-origin isolated; 0 means one per core, at most 8. */
  readonly threads: number;
}

export const DEFAULTS: Settings = { level: 'all', variant: 'auto', threads: 0 };
