import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneAtATime } from './one-at-a-time.js';

const root = new URL('..', import.meta.url).pathname;
export const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
const CACHE = join(root, 'node_modules/.cache/sardonyx');
/** Packages that are kept, of 6 MB each: those of the sources as they were a little before. */
const KEPT = 4;

/** What a package is built from. */
const SOURCES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'LICENSE'];
const FOLDERS = ['src', 'bindings', 'workers', 'tools', 'build'];
/** What in build/ is of the package itself. */
const MADE = /^build\/(types\/|kernel-worker\.js$|.*\.tgz$)/;

let built: string | undefined;

/** The folder of the package, built from the sources as they are when it is first asked for: 40 s of one core, once for the same sources. */
export function builtPackage(): string {
  built ??= oneAtATime('built-package', () => cached(join(CACHE, hashOfSources())));
  return built;
}

/** Makes the scripts in dist/ and build/ that workers run those of the sources as they are now. */
export function buildWorker(): void {
  const from = builtPackage();
  const files = readdirSync(join(from, 'dist')).filter((name) => name.endsWith('.js'));
  oneAtATime('dist', () => {
    mkdirSync(join(root, 'dist'), { recursive: true });
    for (const file of [...files.map((name) => join('dist', name)), 'build/kernel-worker.js'])
      if (!isSame(join(from, file), join(root, file))) cpSync(join(from, file), join(root, file));
  });
}

const isSame = (a: string, b: string): boolean => existsSync(b) && readFileSync(a).equals(readFileSync(b));

function cached(folder: string): string {
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const partial = mkdtempSync(join(CACHE, 'partial-'));
  build(partial);
  renameSync(partial, folder);
  removeOld();
  return folder;
}

function build(target: string): void {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const declarations = mkdtempSync(join(tmpdir(), 'sardonyx-types-')); // Of those in node_modules no bundle is made.
  mkdirSync(join(target, 'build'));
  cpSync(join(root, 'package.json'), join(target, 'package.json'));
  for (const file of readdirSync(join(root, 'build')).filter((name) => name.endsWith('.wasm')))
    cpSync(join(root, 'build', file), join(target, 'build', file));
  run('tools/build-js.mjs', target);
  run(tsc, '-p', 'tsconfig.build.json', '--outDir', declarations);
  run('tools/bundle-types.mjs', target, declarations);
  rmSync(declarations, { recursive: true });
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const path of [...SOURCES, ...FOLDERS.flatMap(filesUnder)])
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
    .filter((path) => !MADE.test(path))
    .sort();

function removeOld(): void {
  const paths = readdirSync(CACHE).map((name) => join(CACHE, name));
  const newestFirst = paths.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of newestFirst.slice(KEPT)) rmSync(path, { recursive: true });
}
