import { version } from '../../../package.json';
import type { ConformanceOptions, ConformanceReport, ConformanceResult } from '../../tools/index.js';
import { type Io, STANDARD } from '../io.js';
import { newCommand } from '../new-command.js';
import { positiveNumber } from '../option-values.js';
import { runtimeNamed } from '../peers/runtime-named.js';
import { formatMilliseconds, plural } from '../quantities.js';
import { table } from '../table.js';
import { concerning, UsageError } from '../usage-error.js';
import { write } from '../write-file.js';

const EXAMPLES = [
  'conformance onnx/onnx/backend/test/data -o report.html',
  'conformance onnx/onnx/backend/test/data/node --filter test_conv',
  'conformance suite.zip --with onnxruntime-web --json',
];

const NOTES = `
A case is a model with test_data_set_0, test_data_set_1, … in the same folder. It counts as unsupported if the runtime reports that
it does not support the model. The exit status is 1 if a case fails.

The runtime runs on one thread in a process of its own, so that a case that crashes or hangs does not affect the others.`;

const command = () =>
  newCommand(
    'conformance',
    "Run ONNX's backend tests with Sardonyx or another runtime, and report the results.",
    EXAMPLES,
  )
    .argument('<folder>', 'folder of test cases, or a zip file of it')
    .option('--with <module>', "package or file with onnxruntime's API to test instead of Sardonyx")
    .option('--filter <text>', 'run only cases whose names contain this text, or match it as /regular expression/')
    .option('--rtol <e>', 'relative tolerance (default: 1e-3)', positiveNumber)
    .option('--atol <e>', 'absolute tolerance (default: 1e-7)', positiveNumber)
    .option('--time-limit <seconds>', 'fail cases that take longer', positiveNumber, 60)
    .option('-o, --output <file>', 'write the report as .html or .json; - writes HTML to standard output')
    .option('--json', 'print JSON')
    .addHelpText('after', NOTES);

type Options = ReturnType<ReturnType<typeof command>['opts']>;

export const conformanceCommand = (io: Io) =>
  command().action(async (folder, options) => {
    const { output, json } = options;
    if (output === STANDARD && json)
      throw new UsageError('--output -: standard output cannot carry both the report and JSON (--json)');
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

/** Writes a report in the format that the name of the file implies. */
function delivery(io: Io, output: string): (report: ConformanceReport) => Promise<void> {
  const page = async (report: ConformanceReport) => (await import('../../tools/on-demand.js')).reportHtml(report);
  if (output === STANDARD) return async (report) => void io.host.stdout.write(await page(report));
  if (/\.html?$/i.test(output)) return async (report) => write(io, output, await page(report));
  if (/\.json$/i.test(output)) return async (report) => write(io, output, `${JSON.stringify(report, null, 1)}\n`);
  throw new UsageError(`--output ${output}: a report is a .html or .json file, or - for HTML on standard output`);
}

function described({ runtime, host, milliseconds, totals, operators, cases }: ConformanceReport): string {
  const failed = cases.filter(({ outcome }) => outcome === 'failed');
  const lacking = operators.filter(({ refused }) => refused > 0);
  const rows = lacking.map((row) => [row.operator, ...[row.refused, row.failed, row.passed].map(String)]);
  return [
    ...(failed.length > 0 ? [table(['', 'case', ''], failed.map(failure)), ''] : []),
    ...(rows.length > 0
      ? [table(['operators of unsupported cases', '>unsupported', '>failed', '>passed'], rows), '']
      : []),
    `${runtime} in ${host}, ${formatMilliseconds(milliseconds)}`,
    `${plural(totals.cases, 'case')}: ${totals.passed} passed, ${totals.failed} failed, ${totals.refused} unsupported`,
  ].join('\n');
}

function failure({ name, problems: [problem] }: ConformanceResult): string[] {
  const { output, message = '' } = problem ?? {};
  return ['FAIL', name, `${output === undefined ? '' : `${output}: `}${message.replace(/\s+/g, ' ')}`];
}
