import type { Rule } from '../../optimize/rule.js';
import { activations } from '../../optimize/rules/activations.js';
import { attention } from '../../optimize/rules/attention.js';
import { groupNorm } from '../../optimize/rules/group-norm.js';
import { identities, neutralOperands } from '../../optimize/rules/identities.js';
import { layerNorm } from '../../optimize/rules/layer-norm.js';
import { factors, unitFactors } from './rules/factors.js';
import { reshapes } from './rules/reshapes.js';
import { trivialViews, views } from './rules/views.js';

/** What is done besides rewriting by rules. */
export const CONSTANTS = 'constants folded';
export const TWINS = 'equal nodes merged';

/** One after another, each until nothing changes. */
export const PHASES: readonly (readonly Rule[])[] = [
  [...identities, views, trivialViews],
  [...activations, ...layerNorm, ...groupNorm, ...attention],
  [...neutralOperands, unitFactors, factors, reshapes, views],
];

/** The names of all passes, by which each can be left out. */
export const PASSES: readonly string[] = [...new Set([CONSTANTS, TWINS, ...PHASES.flat().map(({ name }) => name)])];
