import { Choice } from '../../ui/choice.js';
import { isWhole } from './state.js';

const GRAPHS = [
  ['whole', 'Original model (all values)'],
  ['optimised', 'Optimized graph'],
] as const;

/** Chooses between the values of the original and the optimised graph. */
export const GraphChoice = () => (
  <Choice
    title="Values"
    options={GRAPHS}
    value={isWhole.value ? 'whole' : 'optimised'}
    onChange={(graph) => {
      isWhole.value = graph === 'whole';
    }}
  />
);
