import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isMono?: boolean;
  /** Whether the text has several lines; Ctrl (⌘) and Enter then commit it. */
  readonly isLong?: boolean;
}

/**
 * A text field that commits on Enter or blur; Escape reverts it. Undo keys apply to the text while there is uncommitted input, and to
 * the model otherwise.
 */
export function TextField({ label, value, onChange, isMono = false, isLong = false }: TextFieldProps) {
  const [id, typed] = [useId(), useSignal<string | null>(null)];
  const finish = () => {
    const text = typed.peek();
    typed.value = null;
    if (text !== null && text !== value) onChange(text);
  };
  const onKeyDown = (event: KeyboardEvent & { currentTarget: { value: string } }) => {
    if (event.key === 'Enter' && (!isLong || event.ctrlKey || event.metaKey)) finish();
    if (typed.value === null) return;
    if (event.key.toLowerCase() === 'z' || event.key === 'Escape') event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.currentTarget.value = value;
    typed.value = null;
  };
  const onInput = (event: { currentTarget: { value: string } }) => {
    typed.value = event.currentTarget.value;
  };
  const shared = { id, value: typed.value ?? value, spellcheck: false, onInput, onBlur: finish, onKeyDown };
  const style = isMono ? 'field mono' : 'field';
  return (
    <label class="label" for={id}>
      {label}
      {isLong ? <textarea class={style} rows={3} {...shared} /> : <input class={style} {...shared} />}
    </label>
  );
}
