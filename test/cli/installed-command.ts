import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Consumer, consumer } from '../installed-package.js';
import { withoutReports } from './command-line.js';

/** The command of the installed package, each time in a process of its own. */
export class InstalledCommand {
  readonly #consumer: Consumer = consumer();

  readonly folder = this.#consumer.folder;
  readonly script = join(this.#consumer.package, 'dist', 'cli.js');

  run(...args: string[]) {
    return spawnSync(process.execPath, [this.script, ...args], { cwd: this.folder, encoding: 'utf8' });
  }

  /** Standard output of a command that must succeed, with no errors or warnings. */
  succeed(...args: string[]): string {
    const { status, stdout, stderr } = this.run(...args);
    assert.is(withoutReports(stderr), '');
    assert.is(status, 0);
    return stdout;
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
