import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from './built-package.js';

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
  copyPackage(target);
  return { folder, package: target, remove: () => rmSync(folder, { recursive: true }) };
}

/** What `files` of package.json lists. */
function copyPackage(target: string): void {
  buildPackage();
  mkdirSync(join(target, 'build'), { recursive: true });
  const built = readdirSync(join(root, 'build')).filter((name) => /\.wasm$|-worker\.js$/.test(name));
  for (const path of ['package.json', 'dist', ...built.map((name) => join('build', name))])
    cpSync(join(root, path), join(target, path), { recursive: true });
}

export const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
export const typeRoots = join(root, 'node_modules/@types');
