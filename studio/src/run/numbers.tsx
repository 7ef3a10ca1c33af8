import type { ValueMetadata } from 'sardonyx';
import { inputs } from '../runs/current.js';
import { choose } from './state.js';

/** Numbers typed; strings a line each. */
export function Numbers({ input: { name } }: { input: ValueMetadata }) {
  const choice = inputs.value.get(name);
  return (
    <label class="label">
      Values, row by row
      <textarea
        class="field mono"
        rows={3}
        spellcheck={false}
        placeholder="5.1, 3.5, 1.4, 0.2"
        value={choice?.kind === 'numbers' ? choice.text : ''}
        onInput={({ currentTarget }) => choose(name, { kind: 'numbers', text: currentTarget.value })}
      />
    </label>
  );
}
