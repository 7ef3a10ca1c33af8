import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from '../npm.js';
import { packedPackage } from '../platforms/packed-package.js';
import { unavailable } from '../platforms/unavailable.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = join(ROOT, 'examples');

let repository: string | undefined;

/** The folder of an example in a copy of the repository that has nothing but the package, built and packed, and the examples. */
export function exampleFolder(name: string): string {
  repository ??= builtRepository();
  return join(repository, 'examples', name);
}

function builtRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-examples-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const { tarball, package: built } = packedPackage();
  cpSync(built, folder, { recursive: true });
  cpSync(tarball, join(folder, 'build/sardonyx.tgz'));
  const isSource = (path: string) => !/node_modules|\bdist\b/.test(path.slice(EXAMPLES.length));
  cpSync(EXAMPLES, join(folder, 'examples'), { recursive: true, filter: isSource });
  return folder;
}

/** As an example's README says, but for the scripts of packages; false, with a message, where that is impossible. */
export function install(folder: string): boolean {
  try {
    npm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']);
    return true;
  } catch (error) {
    unavailable(`the example cannot be installed: ${(error as Error).message}`);
    return false;
  }
}
