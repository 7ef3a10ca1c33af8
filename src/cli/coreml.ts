import { join } from 'node:path';
import { openDocument } from './document.js';
import { write } from './output-files.js';
import { print, printJson } from './print.js';
import { progress } from './progress.js';
import { formatBytes, plural } from './quantities.js';
import { STANDARD } from './standard-input.js';
import { table } from './table.js';
import { UsageError } from './usage-error.js';

export interface ExportChoices {
  readonly output: string;
  readonly sizes: Readonly<Record<string, number>>;
  readonly asJson: boolean;
}

/** Writes a package, or lists what has no equal in it. */
export async function exportCoreML(argument: string, { output, sizes, asJson }: ExportChoices): Promise<void> {
  if (output === STANDARD) throw new UsageError('--output -: a package of Core ML is a folder of files');
  const { TranslationError, toCoreML } = await import('../tools/index.js');
  const model = await openDocument(argument);
  progress(`exporting ${argument}`);
  try {
    const written = [...(await toCoreML(model, { sizes }))].map(([path, bytes]) => {
      write(join(output, path), bytes);
      return { file: join(output, path), bytes: bytes.length };
    });
    const rows = written.map(({ file, bytes }) => [file, formatBytes(bytes)]);
    if (asJson) printJson({ files: written });
    else print(table(['file', '>size'], rows));
  } catch (thrown) {
    if (!(thrown instanceof TranslationError)) throw thrown;
    const { obstacles } = thrown;
    const rows = obstacles.map(({ operator, node, reason }) => [operator, node, reason]);
    if (asJson) printJson({ obstacles });
    else
      print(
        `${table(['operator', 'node', 'why there is no equal'], rows)}\n\n${plural(obstacles.length, 'node')} cannot be exported`,
      );
    process.exitCode = 1;
  }
}
