import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Predicate } from '../../tools/index.js';
import type { Io } from '../io.js';
import { UsageError } from '../usage-error.js';

/** Where the command line of a check has the path of a model. */
const PLACE = '{}';

/** What shells end with where there is no such command, or it is none. */
const NO_COMMAND: readonly string[] = ['126', '127'];

/** Does `work` with a folder that is there as long, interruptions included. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-debug-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const stop = () => {
    remove();
    process.kill(process.pid, 'SIGINT');
  };
  process.once('SIGINT', stop);
  try {
    return await work(folder);
  } finally {
    process.removeListener('SIGINT', stop);
    remove();
  }
}

/** Whether a command ends with a model as it does with the first that it is asked of: by exit status, or signal. */
export function endsAsBefore(io: Io, command: string, folder: string): Predicate {
  if (!command.includes(PLACE))
    throw new UsageError(`--check ${command}: it does not say where the model's path goes, as ${PLACE}`);
  let before: string | undefined;
  return async (model) => {
    const { saveModel } = await import('../../tools/on-demand.js');
    const path = join(folder, 'model.onnx');
    await saveModel(model, path);
    const end = await endOf(command.replaceAll(PLACE, `"${path}"`));
    if (before === undefined && NO_COMMAND.includes(end))
      throw new UsageError(`--check ${command}: the shell cannot run it (exit status ${end})`);
    if (before === undefined) io.note(`the command ends with ${end} for the whole, and that is to stay`);
    before ??= end;
    return end === before;
  };
}

/** What the command says is nobody's concern. */
async function endOf(command: string): Promise<string> {
  const child = spawn(command, { shell: true, stdio: 'ignore' });
  const [status, signal] = await once(child, 'close');
  return `${signal ?? status}`;
}
