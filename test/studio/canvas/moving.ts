export interface Moved {
  /** Frames per second. */
  readonly rate: number;
  /** Milliseconds between frames that 95 of 100 keep. */
  readonly p95: number;
}

export type Way = 'pan' | 'zoom' | 'both';

/** Moves the drawing in each frame by as much as a hand does, for some seconds. */
export async function move(way: Way, seconds: number): Promise<Moved> {
  const surface = document.querySelector('.graph-surface') as HTMLElement;
  const tasks: number[] = [];
  const observer = new PerformanceObserver(
    (list) => void tasks.push(...list.getEntries().map((task) => task.duration)),
  );
  observer.observe({ type: 'longtask' });
  const times = await inFrames(seconds * 1000, (t) => {
    if (way !== 'zoom') turnWheel(surface, 14 * Math.cos(t / 700), 14 * Math.sin(t / 500), false);
    if (way !== 'pan') turnWheel(surface, 0, 4 * Math.sin(t / 600), true);
  });
  const gaps = times.slice(1).map((time, i) => time - (times[i] as number));
  const rate = (1000 * gaps.length) / gaps.reduce((a, b) => a + b, 0);
  const p95 = gaps.sort((a, b) => a - b)[Math.floor(gaps.length * 0.95)] as number;
  return { rate, p95 };
}

const turnWheel = (surface: HTMLElement, deltaX: number, deltaY: number, ctrlKey: boolean) =>
  surface.dispatchEvent(
    new WheelEvent('wheel', { deltaX, deltaY, ctrlKey, clientX: 640, clientY: 400, cancelable: true }),
  );

/** The times of all frames. */
function inFrames(milliseconds: number, act: (elapsed: number) => void): Promise<number[]> {
  const times: number[] = [];
  return new Promise((resolve) => {
    const frame = (now: number) => {
      times.push(now);
      const elapsed = now - (times[0] as number);
      if (elapsed > milliseconds) return resolve(times);
      act(elapsed);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}
