import { SardonyxError } from '../base/errors.js';
import { onDemand } from '../base/on-demand.js';
import type { Graph } from '../graph/graph.js';

/** Loads the module for states, for models with inputs that outputs may feed. */
export async function statesOf({ inputs }: Graph) {
  return inputs.some(({ name }) => /past|state|cache|mem/i.test(name))
    ? onDemand('states', () => import('./state/index.js'))
    : null;
}

export function refuseStates(): never {
  throw new SardonyxError('INVALID_ARGUMENT', 'the model has no input with past, state, cache or mem in its name');
}
