import type { ValueMetadata } from 'sardonyx';
import { inputs, setInput } from '../../store/session.js';

/** Numbers between 0 and 1, or integers 0 and 1, by seed: the same as in `sardonyx run --seed`. */
export function Generated({ input: { name } }: { input: ValueMetadata }) {
  const choice = inputs.value.get(name);
  return (
    <label class="label">
      Seed
      <input
        class="field size"
        type="number"
        min={0}
        value={choice?.kind === 'generated' ? choice.seed : 0}
        onInput={({ currentTarget: { valueAsNumber } }) => {
          if (valueAsNumber >= 0) setInput(name, { kind: 'generated', seed: valueAsNumber });
        }}
      />
    </label>
  );
}
