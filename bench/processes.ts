import { fork } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Reply } from './serve.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const BUILD = here('.build');
const TIME_LIMIT = 300_000;

const AS_MODULE = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' } as const;

/**
 * Bundles Sardonyx, here and from `against`, and the programs that run in processes of their own, so that no loader affects measurements.
 */
export async function bundle(programs: readonly string[] = [], against?: string): Promise<void> {
  await Promise.all([
    bundleCheckout(here('..'), 'sardonyx'),
    against && bundleCheckout(against, 'before'),
    ...['worker', 'beside', ...programs].map((name) =>
      build({ ...AS_MODULE, entryPoints: [here(`${name}.ts`)], outfile: `${BUILD}/${basename(name)}.mjs` }),
    ),
  ]);
}

/** Bundles a checkout's Sardonyx, and copies its kernels, so that a concurrent build does no harm. */
async function bundleCheckout(root: string, name: 'sardonyx' | 'before'): Promise<void> {
  const folder = `${BUILD}/${name}`;
  await build({ ...AS_MODULE, entryPoints: [`${root}/src/index.ts`], outfile: `${folder}/sardonyx/index.mjs` });
  mkdirSync(`${folder}/build`, { recursive: true });
  for (const file of readdirSync(`${root}/build`).filter((file) => /\.wasm$|-worker\.js$/.test(file))) {
    cpSync(`${root}/build/${file}`, `${folder}/build/${file}`);
  }
}

export interface Host {
  /** The bundled program, which calls `serve`. */
  program: string;
  node: string;
  flags?: string[];
  /** Milliseconds. */
  timeLimit?: number;
}

/** Runs a job in a new process. */
export function inOwnProcess<Job extends object, Report>(job: Job, host: Host): Promise<Report> {
  const { program, node, flags = [], timeLimit = TIME_LIMIT } = host;
  return new Promise((resolve, reject) => {
    const child = fork(`${BUILD}/${program}.mjs`, {
      ...{ execPath: node, execArgv: flags, serialization: 'advanced', timeout: timeLimit },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('message', (reply: Reply<Report>) =>
      'report' in reply ? resolve(reply.report) : reject(new Error(reply.error)),
    );
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`the process ended with ${signal ?? code}`)));
    child.send(job);
  });
}
