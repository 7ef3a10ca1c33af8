import { fork } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Reply } from './serve.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const BUILD = here('.build');
const TIME_LIMIT = 300_000;

/**
 * Bundles Sardonyx and what runs in processes of its own, so that no loader takes part in what is measured, and copies the
 * kernels, so that a build going on meanwhile does no harm.
 */
export async function bundle(...programs: readonly string[]): Promise<void> {
  const shared = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' } as const;
  await Promise.all([
    build({ ...shared, entryPoints: [here('../src/index.ts')], outfile: `${BUILD}/sardonyx/index.mjs` }),
    ...['worker', 'beside', ...programs].map((name) =>
      build({ ...shared, entryPoints: [here(`${name}.ts`)], outfile: `${BUILD}/${basename(name)}.mjs` }),
    ),
  ]);
  mkdirSync(`${BUILD}/build`, { recursive: true });
  for (const file of readdirSync(here('../build')).filter((name) => /\.wasm$|-worker\.js$/.test(name))) {
    cpSync(here(`../build/${file}`), `${BUILD}/build/${file}`);
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

/** Does a job in a new process. */
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
