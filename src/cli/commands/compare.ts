import type { Finding } from '../../tools/compare/findings.js';
import { type CompareChoices, type Comparison, compareModel } from '../compare-model.js';
import { inputChoices, withInputOptions } from '../input-options.js';
import type { Io } from '../io.js';
import { MODEL, newCommand } from '../new-command.js';
import { type Assignment, assigned, atLeastOne, collected, positiveNumber } from '../option-values.js';
import { formatError, formatMilliseconds, plural } from '../quantities.js';
import { sessionOptions, withSessionOptions } from '../session-options.js';
import { table } from '../table.js';
import { UsageError } from '../usage-error.js';

const EXAMPLES = [
  'compare model.onnx --with onnxruntime-node',
  'compare model.onnx --with onnxruntime-web -i photo.jpg --normalize imagenet --tolerance 1e-3',
  'compare model.onnx --with sardonyx:disabled --capture all',
  'compare model.onnx --with reference --capture all',
  'compare model.onnx --with optimized.onnx --json',
  'compare quantized.onnx model.onnx --tolerance 0.05 --tolerance logits=0.01',
];

const NOTES = `
Peers:
  onnxruntime-node, onnxruntime-web  the package that the current project has installed
  sardonyx:LEVEL                     another optimization level
  reference                          the reference implementation in double precision, which is slow
  FILE.onnx                          another model, run by Sardonyx

Two models are also compared in the intermediate values that both have, or in those of --capture.
The exit status is 1 if an output is out of tolerance.`;

const command = () =>
  withSessionOptions(
    withInputOptions(
      newCommand(
        'compare',
        'Compare the outputs and run times of a model with those of another runtime or model.',
        EXAMPLES,
      )
        .argument('<model>', MODEL)
        .argument('[other]', 'ONNX file or URL of the model with the expected outputs')
        .option('--with <peer>', 'onnxruntime-node, onnxruntime-web, sardonyx:LEVEL, reference or FILE.onnx')
        .addHelpText('after', NOTES),
    ),
  )
    .option(
      '--tolerance <e|name=e>',
      'largest relative L2 error of all values or of one (default: 1e-4; repeatable)',
      assigned(positiveNumber, { anonymous: true }),
    )
    .option('--capture <names>', 'also compare these intermediate values, or all (repeatable)', collected)
    .option('--runs <n>', 'number of timed runs after the first', atLeastOne, 5)
    .option('--json', 'print JSON');

const TOLERANCE = 1e-4;

export const compareCommand = (io: Io) =>
  command().action(async (model, other, options) => {
    const { runs, json, tolerance: said = [] } = options;
    const tolerance = said.find(({ name }) => name === '')?.value ?? TOLERANCE;
    const settings = { session: sessionOptions(options), inputs: inputChoices(options), runs };
    const peer = peerOf(other, options.with);
    const capture = options.capture ?? ('model' in peer ? ['all'] : []);
    const comparison = await compareModel(io, model, {
      ...settings,
      with: peer,
      capture,
      toleranceOf: (name) => said.find((one) => one.name === name)?.value ?? tolerance,
    });
    const { findings, sides, inputs } = comparison;
    const values = findings.filter(({ passed, isCaptured }) => !('model' in peer && isCaptured && passed === null));
    refuseUnknown(said, values);
    const failed = values.filter(({ passed }) => passed === false);
    if (json) io.printJson({ tolerance, failed: failed.length, values, sides: sides.map(timesOf), inputs });
    else printComparison(io, { ...comparison, findings: values }, failed, runs);
    if (failed.length > 0) io.exitCode = 1;
  });

function peerOf(model: string | undefined, peer: string | undefined): CompareChoices['with'] {
  if (model !== undefined && peer !== undefined)
    throw new UsageError(`--with ${peer}: compare with this peer or with ${model}, not both`);
  if (model !== undefined) return { model };
  if (peer !== undefined) return { peer };
  throw new UsageError('nothing to compare with: pass another model, or a peer with --with');
}

function refuseUnknown(said: readonly Assignment<number>[], values: readonly Finding[]): void {
  const unknown = said.find(({ name }) => name && !values.some((value) => value.name === name));
  if (unknown) throw new UsageError(`--tolerance ${unknown.text}: no compared value has that name`);
}

const timesOf = ({ name, milliseconds }: Comparison['sides'][number]) => ({ name, milliseconds });

function printComparison(
  io: Io,
  { findings, sides, withoutValue }: Comparison,
  failed: readonly Finding[],
  runs: number,
): void {
  const rows = findings.map((finding) => {
    const { passed, isCaptured, name, type, maxAbs, relativeL2, mismatch } = finding;
    const errors = mismatch === undefined ? [formatError(maxAbs), formatError(relativeL2)] : ['', ''];
    return [
      passed === null ? '' : passed ? 'ok' : 'FAIL',
      isCaptured ? 'inner' : 'output',
      name,
      type,
      ...errors,
      passed === null ? `not returned by ${withoutValue(name).join(' and ')}` : place(finding),
    ];
  });
  io.print(table(['', '', 'value', 'type', '>max abs', '>rel. L2', 'largest difference'], rows));
  const times = sides.map(({ name, milliseconds: { create, first, median } }) => [
    name,
    ...[create, first, median].map(formatMilliseconds),
  ]);
  io.print(`\n${table(['', '>create', '>first run', `>median of ${runs}`], times)}`);
  const [first] = failed;
  const verdict = first ? `${failed.length} out of tolerance` : 'all within tolerance';
  io.print(`\n${plural(findings.length, 'value')}: ${verdict}`);
  if (first && findings.length > 1)
    io.print(`first in the graph: ${first.name}${first.node ? `, computed by ${first.node}` : ''}`);
}

const shown = (x: unknown): string => (typeof x === 'number' ? String(Number(x.toPrecision(9))) : String(x));

function place({ at, mismatch }: Finding): string {
  const where = at && `[${at.index}]: ${shown(at.actual)}, expected ${shown(at.expected)}`;
  return [mismatch, where].filter(Boolean).join('; ');
}
