import type { AnyOperator } from '../../schema/definition.js';
import type { Lower, Lowerings } from './lowering.js';

const known: Record<string, Lower> = {};

/** Makes lowerings known. */
export const registerLowerings = (lowerings: Lowerings): void => void Object.assign(known, lowerings);

/** How kernels run the primitive that an operator is; undefined where only the host does, or other operators. */
export const loweringOf = ({ computes }: AnyOperator): Lower | undefined => computes && known[computes.primitive.name];
