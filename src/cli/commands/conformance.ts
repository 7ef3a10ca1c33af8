import { Command } from '@commander-js/extra-typings';
import { version } from '../../../package.json';
import type { ConformanceOptions, ConformanceReport, ConformanceResult } from '../../tools/index.js';
import { type Io, STANDARD } from '../io.js';
import { positiveNumber } from '../option-values.js';
import { runtimeNamed } from '../peers/runtime-named.js';
import { formatMilliseconds, plural } from '../quantities.js';
import { table } from '../table.js';
import { concerning, UsageError } from '../usage-error.js';
import { write } from '../write-file.js';

const EXAMPLES = `
FOLDER is laid out as onnx/backend/test/data of ONNX's repository, or a part of it: folders with model.onnx beside
test_data_set_0, test_data_set_1 …; or a zip file of such folders. Floating-point outputs must be within ONNX's own tolerance,
all others equal. A case is refused where the runtime says that it does not support the model. The exit status is 1 if a
case fails.

MODULE is a package or file with InferenceSession and Tensor as onnxruntime has them, found from the working directory. It
runs on one thread in a process of its own, which a case may bring down, or hang, without harm to the others.

Examples:
  sardonyx conformance onnx/onnx/backend/test/data -o report.html
  sardonyx conformance onnx/onnx/backend/test/data/node --filter test_conv
  sardonyx conformance suite.zip --with onnxruntime-web --json`;

const command = () =>
  new Command('conformance')
    .description("Run ONNX's backend tests by Sardonyx or another runtime, and report what passes.")
    .argument('<folder>', 'a folder of cases, or a zip file of it')
    .option('--with <module>', "a runtime with onnxruntime's interface; Sardonyx if left out")
    .option('--filter <text>', 'run cases with this in their names; between slashes it is a regular expression')
    .option('--rtol <e>', "allow this relative error instead of ONNX's 1e-3", positiveNumber)
    .option('--atol <e>', "allow this absolute error instead of ONNX's 1e-7", positiveNumber)
    .option('--time-limit <seconds>', 'a case that takes longer has failed', positiveNumber, 60)
    .option('-o, --output <file>', 'write the report: a page (.html) or data (.json); - is the page on standard output')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES);

type Options = ReturnType<ReturnType<typeof command>['opts']>;

export const conformanceCommand = (io: Io) =>
  command().action(async (folder, options) => {
    const { output, json } = options;
    if (output === STANDARD && json)
      throw new UsageError('--output -: standard output cannot have the JSON too (--json)');
    const deliver = output === undefined ? undefined : delivery(io, output);
    const report = await concerning(folder, () => reportOn(io, folder, options));
    await deliver?.(report);
    if (json) io.printJson(report);
    else (output === STANDARD ? io.note : io.print)(described(report));
    if (report.totals.failed > 0) io.exitCode = 1;
  });

async function reportOn(io: Io, folder: string, options: Options): Promise<ConformanceReport> {
  const { conformanceCases, runConformance } = await import('../../tools/on-demand.js');
  const { filter, with: module } = options;
  const { name, session, ...runtime } = runtimeNamed(io, module, version);
  const cases = await conformanceCases(folder);
  try {
    await runtime.begin();
    return await runConformance(cases, runtime, {
      ...settings(options),
      ...(filter !== undefined && { filter: patternOf(filter) }),
      name,
      session,
      onProgress: ({ done, total, result }) => io.progress(`${name}: ${done} of ${total}  `, result.name),
    });
  } finally {
    runtime.end();
  }
}

function settings({ rtol, atol, timeLimit }: Options): ConformanceOptions {
  const tolerance = { ...(rtol !== undefined && { relative: rtol }), ...(atol !== undefined && { absolute: atol }) };
  return { timeLimit: timeLimit * 1000, tolerance: () => tolerance };
}

function patternOf(text: string): string | RegExp {
  const [, pattern] = /^\/(.+)\/$/.exec(text) ?? [];
  try {
    return pattern === undefined ? text : new RegExp(pattern);
  } catch (error) {
    throw new UsageError(`--filter ${text}: ${(error as Error).message}`);
  }
}

/** What writes a report where `--output` says. */
function delivery(io: Io, output: string): (report: ConformanceReport) => Promise<void> {
  const page = async (report: ConformanceReport) => (await import('../../tools/on-demand.js')).reportHtml(report);
  if (output === STANDARD) return async (report) => void io.host.stdout.write(await page(report));
  if (/\.html?$/i.test(output)) return async (report) => write(output, await page(report));
  if (/\.json$/i.test(output)) return async (report) => write(output, `${JSON.stringify(report, null, 1)}\n`);
  throw new UsageError(`--output ${output}: reports are written as .html and .json files, or to - as a page`);
}

function described({ runtime, host, milliseconds, totals, operators, cases }: ConformanceReport): string {
  const failed = cases.filter(({ outcome }) => outcome === 'failed');
  const lacking = operators.filter(({ refused }) => refused > 0);
  const rows = lacking.map((row) => [row.operator, ...[row.refused, row.failed, row.passed].map(String)]);
  return [
    ...(failed.length > 0 ? [table(['', 'case', ''], failed.map(failure)), ''] : []),
    ...(rows.length > 0 ? [table(['in refused cases', '>refused', '>failed', '>passed'], rows), ''] : []),
    `${runtime} in ${host}, ${formatMilliseconds(milliseconds)}`,
    `${plural(totals.cases, 'case')}: ${totals.passed} passed, ${totals.failed} failed, ${totals.refused} refused`,
  ].join('\n');
}

function failure({ name, problems: [problem] }: ConformanceResult): string[] {
  const { output, message = '' } = problem ?? {};
  return ['FAIL', name, `${output === undefined ? '' : `${output}: `}${message.replace(/\s+/g, ' ')}`];
}
