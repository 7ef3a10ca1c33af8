import { actionOf, type KeyAction } from './keys.js';

/** Calls `act` for keys that mean something; it answers whether it did something, else the page has the key. */
export function followKeys(
  element: HTMLElement,
  direction: () => 'down' | 'right',
  act: (action: KeyAction) => boolean,
  signal: AbortSignal,
): void {
  element.addEventListener(
    'keydown',
    (event) => {
      const action = actionOf(event, direction());
      if (action && act(action)) event.preventDefault();
    },
    { signal },
  );
}
