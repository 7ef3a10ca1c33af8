import type { ChildProcess, ForkOptions } from 'node:child_process';
import { inChunks, jsonText } from './json.js';
import { formatBytes } from './quantities.js';
import { UsageError } from './usage-error.js';

/** A stream to write to, such as `process.stdout`. */
export interface Output {
  write(chunk: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/**
 * The process as seen by the program. The working directory is not included, as the library also uses that of the
 * process.
 */
export interface Host {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Starts the program again in another process, with a channel for messages. */
  fork(args: readonly string[], options: ForkOptions): ChildProcess;
}

/** The input and output of commands in one run of the program. */
export interface Io {
  readonly host: Host;
  /** The exit status of a command that throws nothing. */
  exitCode: number;
  print(text: string): void;
  printJson(value: unknown): void;
  /** Prints a line on standard error. */
  note(text: string): void;
  /** Reports a file that was written. */
  wrote(path: string, bytes: number): void;
  /** Replaces the line about long work that a terminal shows; `step` may change too fast to show each. */
  progress(line: string, step?: string): void;
  endProgress(): void;
  /** All bytes of standard input, which can be read only once. */
  standardInput(purpose: string): Promise<Uint8Array>;
}

/** Names standard input or output in place of a file. */
export const STANDARD = '-';

/** Writing to a terminal takes some 20 µs, as long as a run of a small model. */
const MILLISECONDS_BETWEEN = 100;

export function openIo(host: Host): Io {
  const { stdout, stderr } = host;
  let shown = '';
  let since = 0;
  let taken: string | undefined;
  const endProgress = (): void => {
    if (shown) stderr.write('\r\x1b[2K');
    shown = '';
  };
  const note = (text: string): void => {
    endProgress();
    stderr.write(`${text}\n`);
  };
  return {
    host,
    exitCode: 0,
    endProgress,
    print(text) {
      endProgress();
      stdout.write(`${text}\n`);
    },
    printJson(value) {
      endProgress();
      for (const chunk of inChunks(jsonText(value))) stdout.write(chunk);
      stdout.write('\n');
    },
    note,
    wrote: (path, bytes) => note(`wrote ${path} (${formatBytes(bytes)})`),
    progress(line, step = '') {
      if (!stderr.isTTY) return;
      const now = performance.now();
      if (shown === line && now - since < MILLISECONDS_BETWEEN) return;
      stderr.write(`\r\x1b[2K${`${line}${step}`.slice(0, (stderr.columns ?? 80) - 1)}`);
      shown = line;
      since = now;
    },
    async standardInput(purpose) {
      if (taken) throw new UsageError(`standard input is already ${taken}; pass a file instead`);
      taken = purpose;
      const chunks: Uint8Array[] = [];
      for await (const chunk of host.stdin) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}
