import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { skipped } from './skipped.js';

const beside = fileURLToPath(new URL('../../shared', import.meta.url));
const ROOTS = [process.env.SARDONYX_SHARED, beside].filter((root) => root !== undefined);

/** A folder of shared data: under SARDONYX_SHARED or beside the repository. */
export const sharedFolder = (folder: string): string | undefined =>
  ROOTS.map((root) => join(root, folder)).find(existsSync);

/** The same, for a suite that needs it: without it the suite says so and counts as skipped; where CI is set it must be there. */
export function shared(folder: string): string | undefined {
  const found = sharedFolder(folder);
  if (found) return found;
  const complaint = `no ${folder} under ${ROOTS.join(' or ')}`;
  if (process.env.CI) throw new Error(`${complaint}, and CI is set`);
  skipped(`${complaint}; set SARDONYX_SHARED to the folder that holds it`);
  return undefined;
}
