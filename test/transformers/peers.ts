import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unavailable } from '../platforms/unavailable.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const manifest = (path: string) => JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8'));

/** The folder where the packages of test/transformers/package.json are installed, on first use; null where that is impossible. */
export function installedPeers(): string | null {
  const packages = join(folder, 'node_modules');
  const wanted: [string, string][] = Object.entries(manifest('.').dependencies);
  const isThere = ([name, version]: [string, string]) =>
    existsSync(join(packages, name, 'package.json')) && manifest(join('node_modules', name)).version === version;
  if (wanted.every(isThere)) return packages;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) return packages;
  unavailable('the packages of test/transformers cannot be installed');
  return null;
}
