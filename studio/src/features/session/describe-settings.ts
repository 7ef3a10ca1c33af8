import type { Settings } from '../../workers/contracts/settings.js';

/** `all · relaxed · 4 threads`, without the defaults. */
export function describeSettings({ level, variant, threads }: Settings): string {
  const parts = [
    level === 'all' ? 'optimized' : level === 'disabled' ? 'not optimized' : `optimization level ${level}`,
    variant === 'auto' ? '' : variant,
    threads === 0 ? '' : threads === 1 ? '1 thread' : `${threads} threads`,
  ];
  return parts.filter(Boolean).join(' · ');
}
