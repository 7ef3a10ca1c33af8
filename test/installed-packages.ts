import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unavailable } from './platforms/unavailable.js';

const manifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const versionOf = (wanted: string) => wanted.split('@').at(-1);

/** Where the packages of the manifest in `folder` are, installed on first use; null, with a message, where that is impossible. */
export function installedPackages(folder: string): string | null {
  const packages = join(folder, 'node_modules');
  const wanted: [string, string][] = Object.entries(manifest(folder).dependencies);
  const isThere = ([name, version]: [string, string]) =>
    existsSync(join(packages, name, 'package.json')) && manifest(join(packages, name)).version === versionOf(version);
  if (wanted.every(isThere)) return packages;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) return packages;
  return unavailable(`the packages of test/${basename(folder)} cannot be installed`) ?? null;
}
