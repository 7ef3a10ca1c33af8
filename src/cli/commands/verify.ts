import { Command } from '@commander-js/extra-typings';
import type { FolderTrial } from '../../tools/verify/trials-in.js';
import { type Verification, verifyTrials } from '../../tools/verify/verify-trials.js';
import { findTrials } from '../data-sets.js';
import type { Io } from '../io.js';
import { positiveNumber } from '../option-values.js';
import { formatError, plural } from '../quantities.js';
import { sessionOptions, withSessionOptions } from '../session-options.js';
import { table } from '../table.js';

const EXAMPLES = `
A FOLDER is laid out as in the ONNX Model Zoo: an .onnx file beside test_data_set_0, test_data_set_1 … that hold
input_0.pb … and output_0.pb …; or as ONNX's light models: NAME.onnx beside NAME_output_0.pb, where the inputs are
0 … n−1 divided by n; or it holds several such folders. All data sets of a model run in one session.

Floating-point outputs must be within the tolerance as relative L2 error, all others equal. The exit status is 1 if
any is not.

Examples:
  sardonyx verify mobilenet_v2
  sardonyx verify models/* --tolerance 1e-3 --json
  sardonyx verify ssdlite320 --boxes 0.05
  sardonyx verify mobilenet_v2 --max-rewrites 12     the first 12 rewrites only: bisect to find a wrong one`;

const command = () =>
  withSessionOptions(
    new Command('verify')
      .description(
        'Run the test data that come with models, and report how far the outputs are from the expected ones.',
      )
      .argument('<folders...>', 'folders of models with test data, zip files of them, or .onnx files in such folders')
      .addHelpText('after', EXAMPLES),
  )
    .option('--tolerance <e>', 'largest relative L2 error', positiveNumber, 1e-4)
    .option('--boxes <e>', 'for outputs of 4 columns (boxes), the largest absolute error instead', positiveNumber)
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
