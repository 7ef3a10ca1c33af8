// Half-precision networks computed in float32 from input to output. Loaded with models that contain half precision.

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

/** Rules that recognize operators by their parts run before the parts are widened. They compare constants at half precision. */
const WIDENING: readonly Phase[] = [
  { level: 'extended', rules: () => [...identities, ...activations, ...layerNorm, ...groupNorm] },
  { level: 'layout', rules: inFloats },
];

const ATTENTION: readonly Phase[] = [
  { level: 'layout', rules: () => attention },
  { level: 'layout', rules: () => [attentionToHalves] },
];

export interface HalvesInFloats {
  /** Keeps nodes whose folding would round, until the rewrites have run. */
  readonly keeps: Keeps;
  rewrite(byPhases: (phases: readonly Phase[], keeps?: Keeps) => void): void;
}

/** Rewrites that precede other rewrites of floats, from level `layout` on. Loads the operators that they may emit. */
export async function halvesInFloats(nodes: readonly Node[]): Promise<HalvesInFloats> {
  const attends = nodes.some(({ op }) => op === 'Softmax');
  // CachedAttention is in the same group as Attention.
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
