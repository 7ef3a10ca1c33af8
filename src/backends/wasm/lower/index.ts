import type { Lowerings } from '../lowering.js';
import { attentions } from './attention.js';
import { convolutions } from './conv.js';
import { copies } from './copy.js';
import { expressions } from './elementwise.js';
import { gathers } from './gather.js';
import { normalizations } from './layer-normalization.js';
import { products } from './matmul.js';
import { pools } from './pool.js';
import { reductions } from './reduce.js';
import { softmaxes } from './softmax.js';
import { views } from './view.js';

/** The lowerings that are always loaded; src/groups has those of operator groups that load on demand. */
export const lowerings: Lowerings = {
  ...attentions,
  ...convolutions,
  ...copies,
  ...expressions,
  ...gathers,
  ...normalizations,
  ...pools,
  ...products,
  ...reductions,
  ...softmaxes,
  ...views,
};
