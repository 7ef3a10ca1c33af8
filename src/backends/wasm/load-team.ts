import type { Engine } from '../../../bindings/engine.js';
import type { Team } from '../../../workers/team.js';
import { warnOnce } from '../../base/warn-once.js';

/** Starts kernel threads, with a script that one thread does not need. Null, with a warning, if it cannot be loaded. */
export async function loadTeam(threads: number, engine: Promise<Engine>): Promise<Team | null> {
  try {
    return (await import('../../../workers/team.js')).startTeam(threads - 1, engine);
  } catch (error) {
    warnOnce(`cannot start threads, using one: ${(error as Error).message}`);
    return null;
  }
}
