import type { Lowerings } from '../lowering.js';
import { copies } from './copy.js';

/** The lowerings that are always there; those of groups of operators that load on demand are in src/groups. */
export const lowerings: Lowerings = { ...copies };
