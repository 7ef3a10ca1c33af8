import type { Feeds } from '../../session/feeds.js';
import { timed } from '../with-session.js';
import type { Trial } from './peer.js';

interface Runnable {
  run(feeds: Feeds): Promise<Trial['values']>;
  release(): Promise<void>;
}

/** Creates a session, and times its first run and `runs` more, one after another. */
export async function trialOf(make: () => Promise<Runnable>, feeds: Feeds, runs: number): Promise<Trial> {
  const [create, session] = await timed(make);
  try {
    const [first, values] = await timed(() => session.run(feeds));
    const times: number[] = [];
    for (let i = 0; i < runs; i++) times.push((await timed(() => session.run(feeds)))[0]);
    const median = times.sort((a, b) => a - b)[Math.floor(runs / 2)] as number;
    return { milliseconds: { create, first, median }, values };
  } finally {
    await session.release();
  }
}
