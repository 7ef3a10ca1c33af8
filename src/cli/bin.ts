#!/usr/bin/env node
import { fork } from 'node:child_process';
import type { Host } from './io.js';
import { main } from './main.js';

/** What a command loads is compiled once on a machine, from Node 22.1 on: https://nodejs.org/api/module.html#module-compile-cache */
(process.getBuiltinModule('node:module') as { readonly enableCompileCache?: () => void }).enableCompileCache?.();

/** Whoever reads the output has seen enough. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });

const host: Host = {
  /** Opened when a command first reads it: it may be closed where none does. */
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  fork: (args, options) => fork(process.argv[1] as string, args, options),
};

main(process.argv.slice(2), host).then((status) => {
  process.exitCode = status;
});
