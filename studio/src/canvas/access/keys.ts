import type { Step } from './walk.js';

/** The actions of keys. */
export type KeyAction =
  | { readonly walk: Step }
  | { readonly zoom: number }
  | { readonly act: 'open' | 'leave' | 'first' | 'last' | 'fit' | 'actual' };

const BY_KEY: Readonly<Record<string, KeyAction>> = {
  Enter: { act: 'open' },
  ' ': { act: 'open' },
  Escape: { act: 'leave' },
  Backspace: { act: 'leave' },
  Home: { act: 'first' },
  End: { act: 'last' },
  '+': { zoom: 1.25 },
  '=': { zoom: 1.25 },
  '-': { zoom: 0.8 },
  '0': { act: 'fit' },
  '1': { act: 'actual' },
};

const ARROWS: Readonly<Record<'down' | 'right', Readonly<Record<string, Step>>>> = {
  down: { ArrowDown: 'reader', ArrowUp: 'producer', ArrowLeft: 'before', ArrowRight: 'after' },
  right: { ArrowRight: 'reader', ArrowLeft: 'producer', ArrowUp: 'before', ArrowDown: 'after' },
};

export function actionOf(event: KeyboardEvent, direction: 'down' | 'right'): KeyAction | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const step = ARROWS[direction][event.key];
  return step ? { walk: step } : BY_KEY[event.key];
}
