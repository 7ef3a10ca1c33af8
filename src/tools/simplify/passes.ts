import type { Graph } from '../../graph/graph.js';
import type { FileGrowth } from '../../optimize/file-growth.js';
import type { Rule } from '../../optimize/rule.js';
import { activations } from '../../optimize/rules/activations.js';
import { attention } from '../../optimize/rules/attention.js';
import { groupNorm } from '../../optimize/rules/group-norm.js';
import { identities, neutralOperands } from '../../optimize/rules/identities.js';
import { layerNorm } from '../../optimize/rules/layer-norm.js';
import { factorsIn, unitFactors } from './rules/factors.js';
import { reshapes } from './rules/reshapes.js';
import { trivialViews, views } from './rules/views.js';

/** Phases of rules. Each is applied until nothing changes, to a graph and its subgraphs. */
export const phasesIn = (whole: Graph, growth: FileGrowth): readonly (readonly Rule[])[] => [
  [...identities, views, trivialViews],
  [...activations, ...layerNorm, ...groupNorm, ...attention],
  [...neutralOperands, unitFactors, factorsIn(whole, growth), reshapes, views],
];
