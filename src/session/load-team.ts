import type { startTeam } from '../../workers/team.js';
import { warnOnce } from './threads.js';

/** What starts kernel threads: a script that one thread does without. Null, with a warning, where it cannot be loaded. */
export async function loadTeam(): Promise<typeof startTeam | null> {
  try {
    return (await import('../../workers/team.js')).startTeam;
  } catch (error) {
    warnOnce(`threads cannot be started, one works: ${(error as Error).message}`);
    return null;
  }
}
