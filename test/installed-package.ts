import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const { execPath } = process;

/** A folder outside the repository whose node_modules holds the package, built from the sources as they are now. */
export interface Consumer {
  readonly folder: string;
  readonly package: string;
  remove(): void;
}

let shared: Consumer | undefined;

/** One for all suites of this process, without types. */
export function installed(): Consumer {
  if (!shared) process.once('exit', () => shared?.remove());
  shared ??= consumer();
  return shared;
}

export function consumer({ types = false } = {}): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
  const target = join(folder, 'node_modules', 'sardonyx');
  const run = (...args: string[]) =>
    execFileSync(execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(join(target, 'build'), { recursive: true });
  cpSync(join(root, 'package.json'), join(target, 'package.json'));
  for (const file of readdirSync(join(root, 'build')).filter((name) => name.endsWith('.wasm')))
    cpSync(join(root, 'build', file), join(target, 'build', file));
  run('tools/build-js.mjs', target);
  if (types) {
    const declarations = join(folder, 'declarations');
    run(tsc, '-p', 'tsconfig.build.json', '--outDir', declarations);
    run('tools/bundle-types.mjs', target, declarations);
  }
  return { folder, package: target, remove: () => rmSync(folder, { recursive: true }) };
}

export const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
export const typeRoots = join(root, 'node_modules/@types');
