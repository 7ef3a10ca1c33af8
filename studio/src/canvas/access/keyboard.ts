import { actionOf, type KeyAction } from './keys.js';

/** Calls `act` for known keys; if it returns false, the page handles the key. */
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
