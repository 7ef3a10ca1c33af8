import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { oneAtATime } from './one-at-a-time.js';

const root = fileURLToPath(new URL('..', import.meta.url));

let isBuilt = false;

/** Makes dist/ and the scripts in build/ those of the sources: they stay as they are where the sources have not changed. */
export function buildPackage(): void {
  if (!isBuilt) build();
  isBuilt = true;
}

/** The folder, in build/, of the same scripts with source maps. */
export function builtWithSourceMaps(): string {
  build('--sourcemap', '--outdir', 'build/with-source-maps');
  return `${root}build/with-source-maps`;
}

const build = (...options: string[]) =>
  oneAtATime('build', () => {
    const stdio = ['ignore', 'ignore', 'inherit'] as const;
    execFileSync(process.execPath, ['tools/build-js.mjs', ...options], { cwd: root, stdio: [...stdio] });
  });
