/** What waits until the graph that is being shown is seen: it would take its time. */
let waiting: (() => void)[] = [];
let isFirst = true;

/** Nothing is drawn in a page that is hidden. */
const LONGEST_WAIT = 500;

export const whenSeen = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    setTimeout(resolve, LONGEST_WAIT);
  });

/** To be called with each frame. */
export function seen(): void {
  if (isFirst) performance.mark('drawn');
  isFirst = false;
  for (const resolve of waiting) resolve();
  waiting = [];
}
