import type { AnyOperator } from '../../ops/definition.js';
import { expression } from './lower/elementwise.js';
import { view } from './lower/view.js';
import type { Lower, Lowerings } from './lowering.js';

const LOWERINGS = new Map<string, Lower>();

/** Makes lowerings known. */
export function registerLowerings(lowerings: Lowerings): void {
  for (const [key, lower] of Object.entries(lowerings)) LOWERINGS.set(key, lower);
}

/** What runs operators of a kind, whichever they are. */
const sharedLowering = (operator: AnyOperator): Lower | undefined =>
  operator.isView ? view : operator.expression ? expression : undefined;

/** How kernels run an operator; undefined where only the host does, or other operators. */
export function loweringOf(operator: AnyOperator): Lower | undefined {
  const { domain, name, since } = operator;
  const key = domain ? `${domain}:${name}` : name;
  return LOWERINGS.get(`${key}-${since}`) ?? LOWERINGS.get(key) ?? sharedLowering(operator);
}
