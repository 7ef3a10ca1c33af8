import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Predicate } from '../../tools/index.js';
import type { Io } from '../io.js';
import { UsageError } from '../usage-error.js';

/** The placeholder for the path of a model in the command. */
const PLACE = '{}';

/** Exit statuses of shells for a command that does not exist or cannot be executed. */
const NO_COMMAND: readonly string[] = ['126', '127'];

/** Does `work` with a temporary folder, which is removed afterwards, even after an interrupt. */
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

/** Whether a command ends with the same exit status or signal as for the first model. */
export function endsAsBefore(io: Io, command: string, folder: string): Predicate {
  if (!command.includes(PLACE))
    throw new UsageError(`--check ${command}: the command must contain ${PLACE} in place of the model's path`);
  let before: string | undefined;
  return async (model) => {
    const { saveModel } = await import('../../tools/on-demand.js');
    const path = join(folder, 'model.onnx');
    await saveModel(model, path);
    const end = await endOf(command.replaceAll(PLACE, `"${path}"`));
    if (before === undefined && NO_COMMAND.includes(end))
      throw new UsageError(`--check ${command}: the shell cannot run the command (exit status ${end})`);
    if (before === undefined)
      io.note(`the command ends with ${end} for the whole model; searching for the smallest part with the same result`);
    before ??= end;
    return end === before;
  };
}

/** The output of the command is discarded. */
async function endOf(command: string): Promise<string> {
  const child = spawn(command, { shell: true, stdio: 'ignore' });
  const [status, signal] = await once(child, 'close');
  return `${signal ?? status}`;
}
