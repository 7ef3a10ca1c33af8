import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Host, Output } from '../../src/cli/io.js';
import { main } from '../../src/cli/main.js';
import { bundledProgram } from './bundled-program.js';

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program, called in this process, with a folder of its own for files. */
export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));

  run(...args: string[]): Promise<Outcome> {
    return this.runOn('', ...args);
  }

  /** With this on its standard input. */
  async runOn(input: string | Uint8Array, ...args: string[]): Promise<Outcome> {
    const { stdout, ...outcome } = await this.bytes(input, ...args);
    return { ...outcome, stdout: stdout.toString() };
  }

  /** In a folder below. */
  async runIn(folder: string, ...args: string[]): Promise<Outcome> {
    const { stdout, ...outcome } = await call(this.path(folder), '', args);
    return { ...outcome, stdout: stdout.toString() };
  }

  /** Standard output as it is. */
  bytes(input: string | Uint8Array, ...args: string[]) {
    return call(this.folder, input, args);
  }

  /** Standard output of a command that must succeed, with no errors or warnings. */
  async succeed(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(...args);
    assert.is(withoutReports(stderr), '');
    assert.is(status, 0);
    return stdout;
  }

  // biome-ignore lint/suspicious/noExplicitAny: every command has its own
  async json(...args: string[]): Promise<any> {
    return JSON.parse(await this.succeed(...args, '--json'));
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Standard error without the lines about generated inputs and written files. */
export const withoutReports = (stderr: string): string => stderr.replace(/^(inputs: |note: dynamic |wrote ).*\n/gm, '');

let isRunning = false;

/** One at a time: the working directory is the process's. */
async function call(folder: string, input: string | Uint8Array, args: readonly string[]) {
  if (isRunning) throw new Error(`sardonyx ${args.join(' ')}: await the command before`);
  const { host, out, err, ends } = capturingHost(input);
  const here = process.cwd();
  const restore = [redirected(process.stdout, host.stdout), redirected(process.stderr, host.stderr)];
  isRunning = true;
  process.chdir(folder);
  try {
    const status = await main(args, host);
    await Promise.all(ends);
    return { status, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() };
  } finally {
    process.chdir(here);
    isRunning = false;
    for (const undo of restore) undo();
  }
}

/** A host that keeps what the program writes, and when the processes end that it starts. */
export function capturingHost(input: string | Uint8Array) {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const ends: Promise<unknown>[] = [];
  const host: Host = {
    stdin: piped(input),
    stdout: { write: (chunk) => out.push(Buffer.from(chunk)) },
    stderr: { write: (chunk) => err.push(Buffer.from(chunk)) },
    fork(args, options) {
      const stdio = [options.stdio].flat().map((stream) => (stream === 'inherit' ? 'pipe' : stream));
      const child = fork(bundledProgram(), args, { ...options, execArgv: [], stdio });
      child.stderr?.on('data', (chunk) => err.push(chunk));
      ends.push(once(child, 'close'));
      return child;
    },
  };
  return { host, out, err, ends };
}

async function* piped(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  if (input.length > 0) yield Buffer.from(input);
}

/** Lets what is written past the host, as the library's warnings are, be part of what the command says. */
function redirected(stream: NodeJS.WriteStream, to: Output): () => void {
  const { write } = stream;
  stream.write = ((chunk: string | Uint8Array) => {
    to.write(chunk);
    return true;
  }) as typeof write;
  return () => {
    stream.write = write;
  };
}
