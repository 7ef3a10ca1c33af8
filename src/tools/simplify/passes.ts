import type { Rule } from '../../optimize/rule.js';
import { activations } from '../../optimize/rules/activations.js';
import { attention } from '../../optimize/rules/attention.js';
import { groupNorm } from '../../optimize/rules/group-norm.js';
import { identities, neutralOperands } from '../../optimize/rules/identities.js';
import { layerNorm } from '../../optimize/rules/layer-norm.js';
import { factors, unitFactors } from './rules/factors.js';
import { reshapes } from './rules/reshapes.js';
import { trivialViews, views } from './rules/views.js';

/** One after another, each until nothing changes. */
export const PHASES: readonly (readonly Rule[])[] = [
  [...identities, views, trivialViews],
  [...activations, ...layerNorm, ...groupNorm, ...attention],
  [...neutralOperands, unitFactors, factors, reshapes, views],
];
