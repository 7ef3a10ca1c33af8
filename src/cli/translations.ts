import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Model } from '../tools/index.js';
import { openDocument, writeDocument } from './document.js';
import { type Io, STANDARD } from './io.js';
import type { Assignment } from './option-values.js';
import { formatBytes, plural } from './quantities.js';
import { table } from './table.js';
import { UsageError } from './usage-error.js';
import { makeFolder, type Reporter, write } from './write-file.js';

/** Does the work, or lists the operators that the other format lacks. */
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
      io.print(`${table(['operator', 'node', 'reason'], rows)}\n`);
      io.print(`Nothing was written: the target format has no equivalent for ${plural(obstacles.length, 'node')}.`);
    }
    io.exitCode = 1;
  }
}

export async function importTensorFlowJS(io: Io, argument: string, output: string, asJson: boolean): Promise<void> {
  if (argument === STANDARD) throw new UsageError('a model.json has its weights in other files: pass its path or URL');
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

/** Files of a model in another format, by their paths in a folder; the main file comes last. */
type Files = Iterable<readonly [path: string, bytes: Uint8Array]>;

/** Converters by format. */
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
  if (output === STANDARD) throw new UsageError('--output -: an exported model is a folder of files; name a folder');
  const model = await openDocument(io, argument);
  await listing(
    io,
    async () => {
      io.progress('translating');
      const sizes = Object.fromEntries(dim.map(({ name, value }) => [name, value]));
      const written: { readonly file: string; readonly bytes: number }[] = [];
      const listed: Reporter = { wrote: (file, bytes) => written.push({ file, bytes }) };
      for (const [name, bytes] of await FORMATS[to](model, sizes)) {
        makeFolder(output);
        mkdirSync(dirname(join(output, name)), { recursive: true });
        write(listed, join(output, name), bytes);
      }
      if (json) io.printJson({ files: written });
      else
        io.print(
          table(
            ['wrote', '>size'],
            written.map(({ file, bytes }) => [file, formatBytes(bytes)]),
          ),
        );
    },
    json === true,
  );
}
