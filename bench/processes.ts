import { fork } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Job, Reply, Report } from './worker.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const BUILD = here('.build');
const TIME_LIMIT = 300_000;

/**
 * Bundles Sardonyx and the worker, so that no loader takes part in what is measured, and copies the kernels, so that a
 * build going on meanwhile does no harm.
 */
export async function bundle(): Promise<void> {
  const shared = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' } as const;
  await Promise.all([
    build({ ...shared, entryPoints: [here('../src/index.ts')], outfile: `${BUILD}/sardonyx/index.mjs` }),
    build({ ...shared, entryPoints: [here('worker.ts')], outfile: `${BUILD}/worker.mjs` }),
    build({ ...shared, entryPoints: [here('beside.ts')], outfile: `${BUILD}/beside.mjs` }),
  ]);
  mkdirSync(`${BUILD}/build`, { recursive: true });
  for (const file of readdirSync(here('../build')).filter((name) => /\.wasm$|-worker\.js$/.test(name))) {
    cpSync(here(`../build/${file}`), `${BUILD}/build/${file}`);
  }
}

/** Does a job in a new process. */
export function inOwnProcess(job: Job, node: string, flags: string[] = []): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = fork(`${BUILD}/worker.mjs`, {
      ...{ execPath: node, execArgv: flags, serialization: 'advanced', timeout: TIME_LIMIT },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('message', (reply: Reply) =>
      'report' in reply ? resolve(reply.report) : reject(new Error(reply.error)),
    );
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`the process ended with ${signal ?? code}`)));
    child.send(job);
  });
}
