import { Command } from '@commander-js/extra-typings';
import { SardonyxError } from '../../base/errors.js';
import type { Value } from '../../graph/graph.js';
import { formatType } from '../../graph/types.js';
import { InferenceSession } from '../../session/inference-session.js';
import type { SessionOptions } from '../../session/options.js';
import { type HostValue, isTensorValue } from '../../tensor/tensor-value.js';
import { compare } from '../../tools/difference.js';
import { type FileTrial, findTrials, readExpected, readFeeds } from '../data-sets.js';
import { positiveNumber } from '../option-values.js';
import { print, printJson } from '../print.js';
import { progress } from '../progress.js';
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

const command = withSessionOptions(
  new Command('verify')
    .description('Run the test data that come with models, and report how far the outputs are from the expected ones.')
    .argument('<folders...>', 'folders of models with test data, or .onnx files in such folders')
    .addHelpText('after', EXAMPLES),
)
  .option('--tolerance <e>', 'largest relative L2 error', positiveNumber, 1e-4)
  .option('--boxes <e>', 'for outputs of 4 columns (boxes), the largest absolute error instead', positiveNumber)
  .option('--json', 'print JSON');

type Options = ReturnType<typeof command.opts>;

/** One output of one data set; or what kept a data set or model from running. */
interface Finding {
  readonly model: string;
  readonly set: string;
  readonly output: string;
  readonly type: string;
  readonly relativeL2: number | null;
  readonly maxAbs: number | null;
  readonly passed: boolean;
  readonly problem?: string;
}

export const verifyCommand = command.action(async (folders: string[], options: Options) => {
  const trials = folders.flatMap(findTrials);
  const findings: Finding[] = [];
  for (const trial of trials) findings.push(...(await verify(trial, sessionOptions(options), options)));
  const failed = findings.filter(({ passed }) => !passed).length;
  if (options.json) printJson({ tolerance: options.tolerance, failed, outputs: findings });
  else printFindings(findings, trials.length, failed);
  if (failed > 0) process.exitCode = 1;
});

async function verify(trial: FileTrial, settings: SessionOptions, options: Options): Promise<Finding[]> {
  const findings: Finding[] = [];
  let set = '';
  let session: InferenceSession | undefined;
  try {
    progress(`${trial.name}: loading`);
    session = await InferenceSession.create(trial.model, settings);
    for (const data of trial.dataSets) {
      set = data.name;
      progress(`${trial.name}: data set ${set}`);
      const { graph } = session.model;
      const results = await session.run(await readFeeds(graph, data));
      const expected = await readExpected(graph, data);
      for (const output of graph.outputs.filter(({ name }) => name in expected)) {
        const [found, wanted] = [results, expected].map((values) => values[output.name] ?? null) as [
          HostValue,
          HostValue,
        ];
        findings.push({ model: trial.name, set, ...judge(output, found, wanted, options) });
      }
    }
  } catch (error) {
    if (!(error instanceof SardonyxError)) throw error;
    const nothing = { output: '', type: '', relativeL2: null, maxAbs: null };
    findings.push({ model: trial.name, set, ...nothing, passed: false, problem: error.message });
  } finally {
    await session?.release();
  }
  return findings;
}

function judge(
  { name, type }: Value,
  actual: HostValue,
  expected: HostValue,
  { tolerance, boxes }: Options,
): Omit<Finding, 'model' | 'set'> {
  const { relativeL2, maxAbs, mismatch } = compare(actual, expected);
  const areBoxes = boxes !== undefined && isTensorValue(expected) && expected.dims.at(-1) === 4;
  const passed = mismatch === undefined && (areBoxes ? maxAbs <= boxes : relativeL2 <= tolerance);
  const shown = isTensorValue(expected) ? `${expected.type}[${expected.dims}]` : formatType(type);
  return { output: name, type: shown, relativeL2, maxAbs, passed, ...(mismatch && { problem: mismatch }) };
}

function printFindings(findings: readonly Finding[], models: number, failed: number): void {
  const rows = findings.map(({ model, set, output, type, relativeL2, maxAbs, passed, problem }) => [
    passed ? 'ok' : 'FAIL',
    model,
    set,
    output,
    type,
    ...(problem === undefined ? [formatError(relativeL2 ?? 0), formatError(maxAbs ?? 0)] : ['', '']),
    problem ?? '',
  ]);
  print(table(['', 'model', 'set', 'output', 'type', '>rel. L2', '>max abs', ''], rows));
  const verdict = failed === 0 ? 'all within tolerance' : `${failed} out of tolerance`;
  print(`\n${plural(models, 'model')}, ${plural(findings.length, 'output')}: ${verdict}`);
}
