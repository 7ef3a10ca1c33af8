import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtPackage } from './built-package.js';

const root = new URL('..', import.meta.url).pathname;

/** A folder outside the repository whose node_modules holds the package, built from the sources as they are now. */
export interface Consumer {
  readonly folder: string;
  readonly package: string;
  remove(): void;
}

let shared: Consumer | undefined;

/** One for all suites of this process. */
export function installed(): Consumer {
  if (!shared) process.once('exit', () => shared?.remove());
  shared ??= consumer();
  return shared;
}

export function consumer(): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
  const target = join(folder, 'node_modules', 'sardonyx');
  cpSync(builtPackage(), target, { recursive: true });
  return { folder, package: target, remove: () => rmSync(folder, { recursive: true }) };
}

export { tsc } from './built-package.js';
export const typeRoots = join(root, 'node_modules/@types');
