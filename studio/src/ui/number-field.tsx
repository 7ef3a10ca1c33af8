import type { Signal } from '@preact/signals';

interface Props {
  readonly title: string;
  readonly of: Signal<number>;
  readonly min: number;
  readonly max: number;
}

/** A whole number, which a signal holds once it is within its bounds. */
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
