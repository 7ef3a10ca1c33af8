import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Consumer, consumer } from '../installed-package.js';

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The installed command, run in a folder of its own. */
export class CommandLine {
  readonly #consumer: Consumer = consumer();

  readonly folder = this.#consumer.folder;
  readonly script = join(this.#consumer.package, 'dist', 'cli.js');

  run(...args: string[]): Outcome {
    return this.runOn('', ...args);
  }

  /** With this on its standard input. */
  runOn(input: string | Uint8Array, ...args: string[]): Outcome {
    const { status, stdout, stderr } = this.bytes(input, ...args);
    return { status, stdout: stdout.toString(), stderr };
  }

  /** In a folder below. */
  runIn(folder: string, ...args: string[]): Outcome {
    const cwd = this.path(folder);
    return spawnSync(process.execPath, [this.script, ...args], { cwd, encoding: 'utf8' });
  }

  /** Standard output as it is. */
  bytes(input: string | Uint8Array, ...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.script, ...args], { cwd: this.folder, input });
    return { status, stdout, stderr: stderr.toString() };
  }

  /** Standard output of a command that must succeed and say nothing else. */
  succeed(...args: string[]): string {
    const { status, stdout, stderr } = this.run(...args);
    assert.is(stderr, '');
    assert.is(status, 0);
    return stdout;
  }

  // biome-ignore lint/suspicious/noExplicitAny: every command has its own
  json(...args: string[]): any {
    return JSON.parse(this.succeed(...args, '--json'));
  }

  start(...args: string[]): ChildProcess {
    return spawn(process.execPath, [this.script, ...args], { cwd: this.folder });
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  remove(): void {
    this.#consumer.remove();
  }
}
