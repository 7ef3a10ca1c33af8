import type { Lowerings } from '../lowering.js';
import { convolutions } from './conv.js';
import { copies } from './copy.js';
import { gathers } from './gather.js';
import { products } from './matmul.js';
import { reductions } from './reduce.js';
import { softmaxes } from './softmax.js';

/** The lowerings that are always there; those of groups of operators that load on demand are in src/groups. */
export const lowerings: Lowerings = {
  ...convolutions,
  ...copies,
  ...gathers,
  ...products,
  ...reductions,
  ...softmaxes,
};
