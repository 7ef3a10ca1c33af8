import type { Signal } from '@preact/signals';
import { Choice } from './choice.js';

interface Props<T extends string | number> {
  readonly title: string;
  readonly options: readonly (readonly [T, string])[];
  readonly of: Signal<T>;
}

/** A choice bound to a signal. */
export const Pick = <T extends string | number>({ of, ...choice }: Props<T>) => (
  <Choice
    {...choice}
    value={of.value}
    onChange={(value) => {
      of.value = value;
    }}
  />
);
