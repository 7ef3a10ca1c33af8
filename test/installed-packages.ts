import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { npm } from './npm.js';
import { oneAtATime } from './one-at-a-time.js';
import { unavailable } from './platforms/unavailable.js';

const manifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const versionOf = (wanted: string) => wanted.split('@').at(-1);

/** Where the packages of the manifest in `folder` are, installed on first use; null, with a message, where that is impossible. */
export function installedPackages(folder: string): string | null {
  const packages = join(folder, 'node_modules');
  const isInstalled = oneAtATime(`packages-of-${basename(folder)}`, () => hasAll(folder, packages) || install(folder));
  return isInstalled ? packages : (unavailable(`the packages of test/${basename(folder)} cannot be installed`) ?? null);
}

const hasAll = (folder: string, packages: string): boolean =>
  Object.entries<string>(manifest(folder).dependencies).every(
    ([name, version]) =>
      existsSync(join(packages, name, 'package.json')) && manifest(join(packages, name)).version === versionOf(version),
  );

/** Whether it could be done. */
function install(folder: string): boolean {
  try {
    npm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
    return true;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
}
