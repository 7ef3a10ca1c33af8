import { between, type Camera } from './camera.js';

/** An animated camera; `at` returns its position at a `performance.now()` time in milliseconds. */
export interface Flight {
  readonly to: Camera;
  readonly at: (now: number) => Camera;
  readonly ends: number;
}

const DURATION = 220;

export const prefersStillness = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

export function flight(from: Camera, to: Camera, now: number): Flight {
  const ends = now + DURATION;
  const eased = (t: number) => 1 - (1 - t) ** 3;
  const part = (time: number) => eased(Math.max(0, Math.min(1, (time - now) / DURATION)));
  return { to, at: (time) => (time >= ends ? to : between(from, to, part(time))), ends };
}
