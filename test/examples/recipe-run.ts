import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface Running {
  readonly process: ChildProcess;
  /** Waits for text on standard output, and gives what was found. */
  says(text: RegExp): Promise<string>;
  readonly ended: Promise<Outcome>;
}

/** Starts a recipe as its first line says. */
export function start(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env } });
  const said = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (part) => {
    said.output += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part) => {
    said.errors += part;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, ...said }));
  const says = async (text: RegExp) => {
    for (;;) {
      const found = text.exec(said.output)?.[0];
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`${args[0]} ended: ${said.output}${said.errors}`);
      await new Promise((next) => setTimeout(next, 20));
    }
  };
  return { process: child, says, ended };
}

export const run = (cwd: string, ...args: string[]): Promise<Outcome> => start(cwd, args).ended;

/** What a recipe prints, which must end well. */
export async function printed(cwd: string, ...args: string[]): Promise<string[]> {
  const { code, output, errors } = await run(cwd, ...args);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${output}${errors}`);
  return output.trimEnd().split('\n');
}
