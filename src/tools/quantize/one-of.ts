import { SardonyxError } from '../../base/errors.js';
import { shown } from '../../base/shown.js';

/** Throws if an option has an unknown value. */
export function oneOf<T>(option: string, value: T, allowed: readonly T[]): void {
  if (allowed.includes(value)) return;
  throw new SardonyxError('INVALID_ARGUMENT', `${option}: expected ${allowed.join(', ')}, got ${shown(value)}`);
}
