import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
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

  run(...args: string[]): Outcome {
    const command = join(this.#consumer.package, 'dist', 'cli.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
      cwd: this.folder,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  remove(): void {
    this.#consumer.remove();
  }
}
