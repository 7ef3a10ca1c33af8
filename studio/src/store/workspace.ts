import { batch, type ReadonlySignal } from '@preact/signals';
import * as state from './state.js';

/** The readable state of the page, and the actions that change it. Opening, entering and drawing graphs is in `open-model.ts`. */

export type { Found, Heat, Mark, Notice, SeenType, Subject, Task } from './state.js';
export { text } from './state.js';

type Read<T> = T extends ReadonlySignal<infer V> ? ReadonlySignal<V> : never;
type State = typeof state;
type Signals = { readonly [K in Exclude<keyof State, 'text'>]: Read<State[K]> };

export const {
  address,
  announced,
  direction,
  files,
  firstOpened,
  folds,
  found,
  heat,
  isBusy,
  lines,
  marks,
  model,
  modules,
  notices,
  opened,
  outline,
  panel,
  picture,
  ran,
  revealed,
  selection,
  shown,
  tasks,
  tourStep,
}: Signals = state;

/** Selects a part of the graph in view, and brings it into view. */
export function select(subject: state.Subject): void {
  batch(() => {
    state.selection.value = subject;
    state.revealed.value = subject;
  });
}

export const selectNode = (index: number): void => select({ kind: 'node', index });
export const selectValue = (index: number): void => select({ kind: 'value', index });

/** Selects what is in view already, as by a click on it; null selects nothing. */
export function setSelection(subject: state.Subject | null): void {
  state.selection.value = subject;
}

/** Takes note that the graph shows what it was to bring into view. */
export function setRevealed(): void {
  state.revealed.value = null;
}

export function openPanel(id: string): void {
  state.panel.value = id;
}

export function closePanel(): void {
  state.panel.value = null;
}

export function showTourStep(step: number | null): void {
  state.tourStep.value = step;
}

/** Colors the graph in view; null takes the colors away. */
export function setHeat(heat: state.Heat | null): void {
  state.heat.value = heat;
}

export function setMarks(marks: ReadonlyMap<number, state.Mark>): void {
  state.marks.value = marks;
}

export function setFound(found: state.Found | null): void {
  state.found.value = found;
}
