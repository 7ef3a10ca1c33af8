#!/usr/bin/env node
import { fork } from 'node:child_process';
import type { Host } from './io.js';
import { main } from './main.js';
import { inWords } from './system-errors.js';

/**
 * Compiles the loaded code only once on a machine, since Node 22.1:
 * https://nodejs.org/api/module.html#module-compile-cache
 */
(process.getBuiltinModule('node:module') as { readonly enableCompileCache?: () => void }).enableCompileCache?.();

/** Stops when the reader of a pipe closes it, as `head` does. */
const stopAt = (stream: NodeJS.WriteStream, report: (reason: string) => void) =>
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') report(inWords(message));
    process.exit(code === 'EPIPE' ? 0 : 1);
  });

stopAt(process.stdout, (reason) => process.stderr.write(`sardonyx: cannot write to standard output: ${reason}\n`));
stopAt(process.stderr, () => {});

const host: Host = {
  /** Opened when a command first reads it, as it may be closed otherwise. */
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
