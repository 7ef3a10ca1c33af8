import type { Lowerings } from '../lowering.js';

/** The lowerings that are always there; those of groups of operators that load on demand are in src/groups. */
export const lowerings: Lowerings = {};
