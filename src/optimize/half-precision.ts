// Networks of half precision in floats from input to output: loaded with models that have halves.

import type { Keeps } from '../analysis/infer-graph.js';
import type { Node } from '../graph/graph.js';
import { loadGroups } from '../groups/load-groups.js';
import type { Phase } from './phase.js';
import { activations } from './rules/activations.js';
import { attention } from './rules/attention.js';
import { groupNorm } from './rules/group-norm.js';
import { attentionToHalves, inFloats, isForFloats } from './rules/half-precision.js';
import { identities } from './rules/identities.js';
import { layerNorm } from './rules/layer-norm.js';

/** Operators are recognized by their parts before these are widened: their numbers are as near as halves are. */
const WIDENING: readonly Phase[] = [
  { level: 'extended', rules: () => [...identities, ...activations, ...layerNorm, ...groupNorm] },
  { level: 'layout', rules: inFloats },
];

const ATTENTION: readonly Phase[] = [
  { level: 'layout', rules: () => attention },
  { level: 'layout', rules: () => [attentionToHalves] },
];

export interface HalvesInFloats {
  /** Holds back nodes whose folding would round, until the rewrites have run. */
  readonly keeps: Keeps;
  rewrite(byPhases: (phases: readonly Phase[], keeps?: Keeps) => void): void;
}

/** What comes before other rewrites of floats, from level `layout` on, once what it may make is loaded. */
export async function halvesInFloats(nodes: readonly Node[]): Promise<HalvesInFloats> {
  const attends = nodes.some(({ op }) => op === 'Softmax');
  // It comes with attention to caches as they are stored.
  if (attends) await loadGroups([{ domain: '', name: 'Attention' }]);
  const keeps = isForFloats();
  return {
    keeps,
    rewrite(byPhases) {
      byPhases(WIDENING, keeps);
      if (attends) byPhases(ATTENTION);
    },
  };
}
