import type { Model, SaveModelOptions } from '../tools/index.js';
import { type Io, STANDARD } from './io.js';
import { formatBytes } from './quantities.js';
import { concerning, UsageError } from './usage-error.js';

/** A model as the command line names it, as a document: a path, an address, or - for standard input. */
export async function openDocument(io: Io, argument: string): Promise<Model> {
  io.progress(`loading ${argument}`);
  const { loadModel } = await import('../tools/on-demand.js');
  return loadModel(argument === STANDARD ? await io.standardInput('the model') : argument, {
    onProgress: ({ file, loaded }) => io.progress(`loading ${file}: ${formatBytes(loaded)}`),
  });
}

/** Writes a model where `--output` says, - being standard output; an interruption leaves no half of a file. */
export async function writeDocument(
  io: Io,
  model: Model,
  output: string,
  options: SaveModelOptions = {},
): Promise<void> {
  const { saveModel } = await import('../tools/on-demand.js');
  if (output === STANDARD) return pipe(io, await concerning('--output -', () => saveModel(model, undefined, options)));
  const interruption = new AbortController();
  const stop = () => interruption.abort();
  process.once('SIGINT', stop);
  try {
    await concerning(`--output ${output}`, () =>
      saveModel(model, output, {
        ...options,
        signal: interruption.signal,
        onProgress: ({ file, loaded }) => io.progress(`writing ${file}: ${formatBytes(loaded)}`),
      }),
    );
  } finally {
    process.removeListener('SIGINT', stop);
    if (interruption.signal.aborted) process.kill(process.pid, 'SIGINT');
  }
}

/** Sends text or bytes to standard output, unless they would fill a terminal with what nobody can read. */
function pipe(io: Io, bytes: Uint8Array): void {
  if (io.host.stdout.isTTY)
    throw new UsageError('--output -: standard output is a terminal; send it to a file or another program');
  io.host.stdout.write(bytes);
}
