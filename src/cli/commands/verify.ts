import type { FolderTrial } from '../../tools/verify/trials-in.js';
import { type Verification, verifyTrials } from '../../tools/verify/verify-trials.js';
import { findTrials } from '../data-sets.js';
import type { Io } from '../io.js';
import { newCommand } from '../new-command.js';
import { positiveNumber } from '../option-values.js';
import { formatError, plural } from '../quantities.js';
import { sessionOptions, withSessionOptions } from '../session-options.js';
import { table } from '../table.js';

const EXAMPLES = [
  'verify mobilenet_v2',
  'verify models/* --tolerance 1e-3 --json',
  'verify ssdlite320 --boxes 0.05',
  'verify mobilenet_v2 --max-rewrites 12     # apply only the first 12 rewrites, to find a faulty one',
];

const NOTES = `
A folder has a model and its data sets as in the ONNX Model Zoo (test_data_set_0/input_0.pb, output_0.pb, …), NAME.onnx with
NAME_output_0.pb as in ONNX's light models, or several such folders. The exit status is 1 if an output is out of tolerance.`;

const command = () =>
  withSessionOptions(
    newCommand('verify', 'Compare the outputs of models with the expected outputs of their test data.', EXAMPLES)
      .argument('<folders...>', 'folders or zip files of models with test data, or .onnx files in such folders')
      .addHelpText('after', NOTES),
  )
    .option('--tolerance <e>', 'largest relative L2 error of floating-point outputs', positiveNumber, 1e-4)
    .option(
      '--boxes <e>',
      'largest absolute error of outputs with 4 columns (boxes), instead of --tolerance',
      positiveNumber,
    )
    .option('--json', 'print JSON');

type Options = ReturnType<ReturnType<typeof command>['opts']>;

export const verifyCommand = (io: Io) =>
  command().action(async (folders: string[], options: Options) => {
    const trials: FolderTrial[] = [];
    for (const folder of folders) trials.push(...(await findTrials(folder)));
    const { tolerance, boxes, json } = options;
    const found = await verifyTrials(trials, {
      tolerance,
      boxes,
      session: sessionOptions(options),
      onProgress: ({ model, set }) => io.progress(`${model}: ${set === undefined ? 'loading' : `data set ${set}`}`),
    });
    if (json) io.printJson(found);
    else printFindings(io, found, trials.length);
    if (found.failed > 0) io.exitCode = 1;
  });

function printFindings(io: Io, { outputs, failed }: Verification, models: number): void {
  const rows = outputs.map(({ model, set, output, type, relativeL2, maxAbs, passed, problem }) => [
    passed ? 'ok' : 'FAIL',
    model,
    set,
    output,
    type,
    ...(problem === undefined ? [formatError(relativeL2 ?? 0), formatError(maxAbs ?? 0)] : ['', '']),
    problem ?? '',
  ]);
  io.print(table(['', 'model', 'set', 'output', 'type', '>rel. L2', '>max abs', ''], rows));
  const verdict = failed === 0 ? 'all within tolerance' : `${failed} out of tolerance`;
  io.print(`\n${plural(models, 'model')}, ${plural(outputs.length, 'output')}: ${verdict}`);
}
