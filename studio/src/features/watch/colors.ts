import { signal } from '@preact/signals';
import { theme } from '../../ui/theme.js';
import { overview } from './state.js';

/** Colours of the theme that runs take in turn; from the eleventh on with a dash. */
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

/** Colors that people chose, by the folders of runs. */
export const chosenColors = signal<ReadonlyMap<string, string>>(new Map());

export function chooseColor(run: string, color: string): void {
  chosenColors.value = new Map(chosenColors.value).set(run, color);
}

/** A run's, as a style sheet knows it. */
export const colourOf = (run: string): string =>
  chosenColors.value.get(run) ?? `var(--cat-${NAMES[indexOf(run) % NAMES.length]})`;

export const dashOf = (run: string): number[] =>
  [[], [6, 3], [2, 2]][Math.floor(indexOf(run) / NAMES.length) % 3] ?? [];

/** What a colour of the style sheet is in the theme in view: a canvas knows no variables. */
export function resolved(colour: string): string {
  void theme.value;
  const name = /^var\((.+)\)$/.exec(colour)?.[1];
  return name ? getComputedStyle(document.documentElement).getPropertyValue(name).trim() : colour;
}
