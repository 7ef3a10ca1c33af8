import { dirname, join } from 'node:path';
import type { Model, SaveModelOptions } from '../tools/index.js';
import { type Io, STANDARD } from './io.js';
import { formatBytes } from './quantities.js';
import { concerning, UsageError } from './usage-error.js';

/** Opens a model for reading and editing: a path, a URL, or - for standard input. */
export async function openDocument(io: Io, argument: string): Promise<Model> {
  io.progress(`loading ${argument}`);
  const { loadModel } = await import('../tools/on-demand.js');
  return loadModel(argument === STANDARD ? await io.standardInput('the model') : argument, {
    onProgress: ({ file, loaded }) => io.progress(`loading ${file}: ${formatBytes(loaded)}`),
  });
}

/** Writes a model to the file of `--output`, or to standard output; an interrupt leaves no partial file. */
export async function writeDocument(
  io: Io,
  model: Model,
  output: string,
  options: SaveModelOptions = {},
): Promise<void> {
  const { saveModel } = await import('../tools/on-demand.js');
  if (output === STANDARD) return pipe(io, await concerning('--output -', () => saveModel(model, undefined, options)));
  const interruption = new AbortController();
  const sizes = new Map<string, number>();
  const stop = () => interruption.abort();
  process.once('SIGINT', stop);
  try {
    await concerning(`--output ${output}`, () =>
      saveModel(model, output, {
        ...options,
        signal: interruption.signal,
        onProgress: ({ file, loaded }) => {
          sizes.set(file, loaded);
          io.progress(`writing ${file}: ${formatBytes(loaded)}`);
        },
      }),
    );
  } finally {
    process.removeListener('SIGINT', stop);
    if (interruption.signal.aborted) process.kill(process.pid, 'SIGINT');
  }
  for (const [file, bytes] of sizes) io.wrote(join(dirname(output), file), bytes);
}

/** Writes bytes to standard output, unless it is a terminal. */
function pipe(io: Io, bytes: Uint8Array): void {
  if (io.host.stdout.isTTY)
    throw new UsageError('--output -: standard output is a terminal; redirect it to a file or a program');
  io.host.stdout.write(bytes);
}
