import { type ChildProcess, spawn } from 'node:child_process';

/** How long a program may take, in milliseconds: Next builds in some 30 s on two idle cores. */
const LIMIT = 600_000;

/** How much of what it printed an error shows. */
const TAIL = 4000;

/** A program and all that it starts, which end together. */
export class Program {
  readonly #child: ChildProcess;
  readonly #command: string;
  readonly #closed: Promise<number | null>;
  #output = '';

  constructor(program: string, args: readonly string[], cwd: string, variables: NodeJS.ProcessEnv) {
    this.#command = [program, ...args].join(' ');
    const env = { ...process.env, NODE_ENV: undefined, ...variables }; // Vite, in this process, sets it.
    this.#child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    this.#closed = new Promise((resolve, reject) => this.#child.once('error', reject).once('close', resolve));
    process.once('exit', this.#kill);
    this.#closed.catch(() => {}).finally(() => process.off('exit', this.#kill));
  }

  /** The end of what it has printed. */
  get output(): string {
    return this.#output.slice(-TAIL);
  }

  /** What it printed, when it has ended well. */
  async ended(): Promise<string> {
    const code = await this.#within(this.#closed);
    if (code !== 0) throw this.#failure(`ended with code ${code}`);
    return this.#output;
  }

  /** Settles when it answers requests. */
  answers(address: string): Promise<void> {
    return this.#within(this.#ask(address));
  }

  async stop(): Promise<void> {
    this.#kill();
    await this.#closed;
  }

  async #ask(address: string): Promise<void> {
    while (this.#child.exitCode === null && this.#child.signalCode === null) {
      if (await fetch(address).catch(() => undefined)) return;
      await new Promise((next) => setTimeout(next, 50));
    }
    throw this.#failure(`ended with code ${this.#child.exitCode}`);
  }

  /** Its process group: it was started detached. */
  #kill = (): void => {
    try {
      process.kill(-(this.#child.pid as number), 'SIGKILL');
    } catch {
      // It has ended.
    }
  };

  async #within<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#failure(`took more than ${LIMIT / 1000} s`)), LIMIT);
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      this.#kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #failure(what: string): Error {
    return new Error(`${this.#command} ${what}; it printed\n${this.output}`);
  }
}
