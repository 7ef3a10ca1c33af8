import type { ValueMetadata } from 'sardonyx';
import { inputs, setInput } from '../../store/session.js';

interface Typed {
  readonly title: string;
  readonly example: string;
}

const typed =
  ({ title, example }: Typed) =>
  ({ input: { name } }: { readonly input: ValueMetadata }) => {
    const choice = inputs.value.get(name);
    return (
      <label class="label">
        {title}
        <textarea
          class="field mono"
          rows={3}
          spellcheck={false}
          placeholder={example}
          value={choice?.kind === 'numbers' ? choice.text : ''}
          onInput={({ currentTarget }) => setInput(name, { kind: 'numbers', text: currentTarget.value })}
        />
      </label>
    );
  };

export const Numbers = typed({ title: 'Values in row-major order', example: '5.1, 3.5, 1.4, 0.2' });
export const Texts = typed({ title: 'Strings, one per line', example: 'one\nanother' });
