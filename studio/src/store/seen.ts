/** Work deferred until the new graph is on screen, which it would delay. */
let waiting: (() => void)[] = [];
let isFirst = true;

/** Milliseconds to wait at most: a hidden page draws no frames. */
const LONGEST_WAIT = 500;

export const whenSeen = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    setTimeout(resolve, LONGEST_WAIT);
  });

/** Call with each frame. */
export function seen(): void {
  if (isFirst) performance.mark('drawn');
  isFirst = false;
  for (const resolve of waiting) resolve();
  waiting = [];
}
