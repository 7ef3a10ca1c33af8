import { join } from 'node:path';
import { openDocument, writeDocument } from './document.js';
import { write } from './output-files.js';
import { print, printJson } from './print.js';
import { progress } from './progress.js';
import { formatBytes, plural } from './quantities.js';
import { STANDARD } from './standard-input.js';
import { table } from './table.js';
import { UsageError } from './usage-error.js';

/** Does the work, or lists what has no equal in the other format. */
async function listing(work: () => Promise<void>, asJson: boolean): Promise<void> {
  const { TranslationError } = await import('../tools/index.js');
  try {
    await work();
  } catch (thrown) {
    if (!(thrown instanceof TranslationError)) throw thrown;
    const { obstacles } = thrown;
    if (asJson) printJson({ obstacles });
    else {
      const rows = obstacles.map(({ operator, node, reason }) => [operator, node, reason]);
      print(`${table(['operator', 'node', 'why there is no equal'], rows)}\n`);
      print(`${plural(obstacles.length, 'node')} cannot be said in the other format`);
    }
    process.exitCode = 1;
  }
}

export async function importTensorFlowJS(argument: string, output: string, asJson: boolean): Promise<void> {
  if (argument === STANDARD) throw new UsageError('a model.json has weights beside it: name its path or its URL');
  const { fromTensorFlowJS } = await import('../tools/index.js');
  await listing(async () => {
    const model = await fromTensorFlowJS(argument, {
      onProgress: ({ file, loaded }) => progress(`loading ${file}: ${formatBytes(loaded)}`),
    });
    await writeDocument(model, output);
  }, asJson);
}

export async function exportTensorFlowJS(argument: string, folder: string, asJson: boolean): Promise<void> {
  if (folder === STANDARD) throw new UsageError('--output -: a model of TensorFlow.js is a folder of files');
  const { toTensorFlowJS } = await import('../tools/index.js');
  const model = await openDocument(argument);
  await listing(async () => {
    progress('translating');
    const { files } = await toTensorFlowJS(model);
    const written = [...files].reverse().map(([name, bytes]) => {
      write(join(folder, name), bytes);
      return { file: join(folder, name), bytes: bytes.length };
    });
    if (asJson) printJson({ files: written });
    else
      print(
        table(
          ['file', 'size'],
          written.map(({ file, bytes }) => [file, formatBytes(bytes)]),
        ),
      );
  }, asJson);
}
