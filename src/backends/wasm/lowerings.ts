import type { AnyOperator } from '../../schema/definition.js';
import type { Lower, Lowerings } from './lowering.js';

const known: Record<string, Lower> = {};

/** Makes lowerings known. */
export const registerLowerings = (lowerings: Lowerings): void => void Object.assign(known, lowerings);

/** How kernels run an operator; undefined where only the host does, or other operators. */
export function loweringOf({ domain, name, since, computes }: AnyOperator): Lower | undefined {
  if (computes) return known[computes.primitive.name];
  const key = domain ? `${domain}:${name}` : name;
  return known[`${key}-${since}`] ?? known[key];
}
