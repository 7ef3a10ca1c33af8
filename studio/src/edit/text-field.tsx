import { useSignal } from '@preact/signals';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isMono?: boolean;
}

/** A field whose text counts once Enter is pressed or it is left; Escape takes back what was typed. */
export function TextField({ label, value, onChange, isMono = false }: TextFieldProps) {
  const typed = useSignal<string | null>(null);
  const finish = () => {
    const text = typed.peek();
    typed.value = null;
    if (text !== null && text !== value) onChange(text);
  };
  return (
    <label class="label">
      {label}
      <input
        class={isMono ? 'field mono' : 'field'}
        value={typed.value ?? value}
        spellcheck={false}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
        }}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish();
          if (event.key !== 'Escape' || typed.value === null) return;
          event.stopPropagation();
          event.currentTarget.value = value;
          typed.value = null;
        }}
      />
    </label>
  );
}
