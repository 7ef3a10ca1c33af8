import type { Signal } from '@preact/signals';

interface Props {
  readonly title: string;
  readonly of: Signal<number>;
  readonly min: number;
  readonly max: number;
}

/** A field bound to a signal of a whole number within bounds. */
export const NumberField = ({ title, of, min, max }: Props) => (
  <label class="label">
    {title}
    <input
      class="field size"
      type="number"
      min={min}
      max={max}
      value={of.value}
      onInput={({ currentTarget: { valueAsNumber } }) => {
        if (valueAsNumber >= min) of.value = Math.min(max, Math.floor(valueAsNumber));
      }}
    />
  </label>
);
