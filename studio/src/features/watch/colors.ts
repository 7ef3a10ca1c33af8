import { signal } from '@preact/signals';
import { theme } from '../../ui/theme.js';
import { overview } from './state.js';

/** Theme colours, assigned to runs in turn; from the eleventh run on, lines are dashed. */
const NAMES = [
  'product',
  'activation',
  'normalization',
  'reduction',
  'control',
  'quantization',
  'pool',
  'input',
  'arithmetic',
  'shape',
] as const;

const indexOf = (run: string): number =>
  Math.max(0, overview.value?.runs.findIndex(({ folder }) => folder === run) ?? 0);

/** Colors that people chose, by run folder. */
export const chosenColors = signal<ReadonlyMap<string, string>>(new Map());

export function chooseColor(run: string, color: string): void {
  chosenColors.value = new Map(chosenColors.value).set(run, color);
}

/** A run's colour as a CSS value. */
export const colourOf = (run: string): string =>
  chosenColors.value.get(run) ?? `var(--cat-${NAMES[indexOf(run) % NAMES.length]})`;

export const dashOf = (run: string): number[] =>
  [[], [6, 3], [2, 2]][Math.floor(indexOf(run) / NAMES.length) % 3] ?? [];

/** The value of a CSS colour in the current theme: a canvas cannot use CSS variables. */
export function resolved(colour: string): string {
  void theme.value;
  const name = /^var\((.+)\)$/.exec(colour)?.[1];
  return name ? getComputedStyle(document.documentElement).getPropertyValue(name).trim() : colour;
}
