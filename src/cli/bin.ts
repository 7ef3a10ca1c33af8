#!/usr/bin/env node
import { fork } from 'node:child_process';
import type { Host } from './io.js';
import { main } from './main.js';
import { inWords } from './system-errors.js';

/** What a command loads is compiled once on a machine, from Node 22.1 on: https://nodejs.org/api/module.html#module-compile-cache */
(process.getBuiltinModule('node:module') as { readonly enableCompileCache?: () => void }).enableCompileCache?.();

/** A reader that goes away, as `head` does, has read enough. */
const stopAt = (stream: NodeJS.WriteStream, report: (reason: string) => void) =>
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') report(inWords(message));
    process.exit(code === 'EPIPE' ? 0 : 1);
  });

stopAt(process.stdout, (reason) => process.stderr.write(`sardonyx: cannot write to standard output: ${reason}\n`));
stopAt(process.stderr, () => {});

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
