import { spawnSync } from 'node:child_process';

const ATTEMPTS = 3;

/** What npm ends with where the registry does not answer, or no longer does. */
const STALLED = /^npm error code (EIDLETIMEOUT|ERESPONSETIMEOUT|ECONNECTIONTIMEOUT|ETIMEDOUT|ECONNRESET|EAI_AGAIN)$/m;

/** Runs a command of npm in a folder, again where the registry stalls. What it prints; throws what it complains of. */
export function npm(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  for (let attempt = 1; ; attempt++) {
    const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' });
    if (status === 0) return stdout;
    if (attempt === ATTEMPTS || !STALLED.test(stderr ?? ''))
      throw error ?? new Error(`npm ${args.join(' ')} in ${folder}: status ${status}\n${stdout}\n${stderr}`);
  }
}
