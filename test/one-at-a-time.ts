import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LOCKS = new URL('../node_modules/.cache/sardonyx-locks', import.meta.url).pathname;

/** Does what no other process does meanwhile under the same name: installing and building, which two lanes would do at once. */
export function oneAtATime<T>(name: string, work: () => T): T {
  const lock = join(LOCKS, name);
  mkdirSync(LOCKS, { recursive: true });
  while (!isTaken(lock)) sleep(500);
  try {
    return work();
  } finally {
    rmSync(lock);
  }
}

function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (!isOfLiving(lock)) rmSync(lock, { force: true });
  return false;
}

/** Whether the process that holds a lock lives; one that has not yet said who it is does. */
function isOfLiving(lock: string): boolean {
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    return !holder || process.kill(holder, 0);
  } catch {
    return false;
  }
}

const sleep = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};
