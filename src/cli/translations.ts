import { join } from 'node:path';
import type { Model } from '../tools/index.js';
import { openDocument, writeDocument } from './document.js';
import { type Io, STANDARD } from './io.js';
import type { Assignment } from './option-values.js';
import { formatBytes, plural } from './quantities.js';
import { table } from './table.js';
import { UsageError } from './usage-error.js';
import { write } from './write-file.js';

/** Does the work, or lists what has no equal in the other format. */
async function listing(io: Io, work: () => Promise<void>, asJson: boolean): Promise<void> {
  const { TranslationError } = await import('../tools/on-demand.js');
  try {
    await work();
  } catch (thrown) {
    if (!(thrown instanceof TranslationError)) throw thrown;
    const { obstacles } = thrown;
    if (asJson) io.printJson({ obstacles });
    else {
      const rows = obstacles.map(({ operator, node, reason }) => [operator, node, reason]);
      io.print(`${table(['operator', 'node', 'why there is no equal'], rows)}\n`);
      io.print(`${plural(obstacles.length, 'node')} cannot be said in the other format`);
    }
    io.exitCode = 1;
  }
}

export async function importTensorFlowJS(io: Io, argument: string, output: string, asJson: boolean): Promise<void> {
  if (argument === STANDARD) throw new UsageError('a model.json has weights beside it: name its path or its URL');
  const { fromTensorFlowJS } = await import('../tools/on-demand.js');
  await listing(
    io,
    async () => {
      const model = await fromTensorFlowJS(argument, {
        onProgress: ({ file, loaded }) => io.progress(`loading ${file}: ${formatBytes(loaded)}`),
      });
      await writeDocument(io, model, output);
    },
    asJson,
  );
}

/** Files of a model in another format, by their paths in a folder; the one to open comes last. */
type Files = Iterable<readonly [path: string, bytes: Uint8Array]>;

/** What a model becomes in each of the formats that there are. */
export const FORMATS = {
  tfjs: async (model: Model): Promise<Files> => {
    const { toTensorFlowJS } = await import('../tools/on-demand.js');
    return [...(await toTensorFlowJS(model)).files].reverse();
  },
  coreml: async (model: Model, sizes: Readonly<Record<string, number>>): Promise<Files> => {
    const { toCoreML } = await import('../tools/on-demand.js');
    return toCoreML(model, { sizes });
  },
};

export interface ExportChoices {
  readonly to: keyof typeof FORMATS;
  readonly output: string;
  readonly dim?: readonly Assignment<number>[] | undefined;
  readonly json?: true | undefined;
}

export async function exportModel(
  io: Io,
  argument: string,
  { to, output, dim = [], json }: ExportChoices,
): Promise<void> {
  if (output === STANDARD) throw new UsageError('--output -: the model becomes a folder of files');
  const model = await openDocument(io, argument);
  await listing(
    io,
    async () => {
      io.progress('translating');
      const sizes = Object.fromEntries(dim.map(({ name, value }) => [name, value]));
      const written = Array.from(await FORMATS[to](model, sizes), ([name, bytes]) => {
        write(join(output, name), bytes);
        return { file: join(output, name), bytes: bytes.length };
      });
      if (json) io.printJson({ files: written });
      else
        io.print(
          table(
            ['file', 'size'],
            written.map(({ file, bytes }) => [file, formatBytes(bytes)]),
          ),
        );
    },
    json === true,
  );
}
