import { Command } from '@commander-js/extra-typings';
import type { Finding } from '../../tools/compare/findings.js';
import { type CompareChoices, type Comparison, compareModel } from '../compare-model.js';
import { inputChoices, withInputOptions } from '../input-options.js';
import type { Io } from '../io.js';
import { type Assignment, assigned, atLeastOne, collected, positiveNumber } from '../option-values.js';
import { formatError, formatMilliseconds, plural } from '../quantities.js';
import { sessionOptions, withSessionOptions } from '../session-options.js';
import { table } from '../table.js';
import { UsageError } from '../usage-error.js';

const EXAMPLES = `
Both get the same inputs, generated unless given, as in "sardonyx run", and as many threads. PEER is onnxruntime-node or
onnxruntime-web, as the project in the working directory has it; sardonyx:LEVEL, another optimization level; reference, the
plain definitions of its operators in double precision, which are slow; or FILE.onnx, another model run by Sardonyx.
Where two models are named, the first is held to the second, in all values inside that both have under the same name, unless
--capture says which. Floating-point outputs must be within the tolerance as relative L2 error, all others equal. The exit
status is 1 if any is not.

Examples:
  sardonyx compare model.onnx --with onnxruntime-node
  sardonyx compare model.onnx --with onnxruntime-web -i photo.jpg --normalize imagenet --tolerance 1e-3
  sardonyx compare model.onnx --with sardonyx:disabled --capture all
  sardonyx compare model.onnx --with reference --capture all
  sardonyx compare model.onnx --with optimized.onnx --json
  sardonyx compare quantized.onnx model.onnx --tolerance 0.05 --tolerance logits=0.01`;

const command = () =>
  withSessionOptions(
    withInputOptions(
      new Command('compare')
        .description(
          'Run a model here and by another runtime, or two models, and report how far the outputs are apart.',
        )
        .argument('<model>', 'an ONNX file, its URL, or - for standard input')
        .argument('[other]', 'another, which is what is expected')
        .option('--with <peer>', 'onnxruntime-node, onnxruntime-web, sardonyx:LEVEL, reference or FILE.onnx')
        .addHelpText('after', EXAMPLES),
    ),
  )
    .option(
      '--tolerance <e|name=e>',
      'largest relative L2 error, of all values or of one; 1e-4 if left out (repeatable)',
      assigned(positiveNumber, { anonymous: true }),
    )
    .option('--capture <names>', 'compare these values inside the graph too, or all of them (repeatable)', collected)
    .option('--runs <n>', 'runs that are timed after the first', atLeastOne, 5)
    .option('--json', 'print JSON');

const TOLERANCE = 1e-4;

export const compareCommand = (io: Io) =>
  command().action(async (model, other, options) => {
    const { runs, json, tolerance: said = [] } = options;
    const tolerance = said.find(({ name }) => name === '')?.value ?? TOLERANCE;
    const settings = { session: sessionOptions(options), inputs: inputChoices(options), runs };
    const peer = peerOf(other, options.with);
    const capture = options.capture ?? ('model' in peer ? ['all'] : []);
    const { findings, sides } = await compareModel(io, model, {
      ...settings,
      with: peer,
      capture,
      toleranceOf: (name) => said.find((one) => one.name === name)?.value ?? tolerance,
    });
    const values = findings.filter(({ passed, isCaptured }) => !('model' in peer && isCaptured && passed === null));
    refuseUnknown(said, values);
    const failed = values.filter(({ passed }) => passed === false);
    if (json) io.printJson({ tolerance, failed: failed.length, values, sides: sides.map(timesOf) });
    else printComparison(io, { findings: values, sides }, failed, runs);
    if (failed.length > 0) io.exitCode = 1;
  });

function peerOf(model: string | undefined, peer: string | undefined): CompareChoices['with'] {
  if (model !== undefined && peer !== undefined)
    throw new UsageError(`--with ${peer}: there is another model already, ${model}`);
  if (model !== undefined) return { model };
  if (peer !== undefined) return { peer };
  throw new UsageError('name another model, or a peer (--with)');
}

function refuseUnknown(said: readonly Assignment<number>[], values: readonly Finding[]): void {
  const unknown = said.find(({ name }) => name && !values.some((value) => value.name === name));
  if (unknown) throw new UsageError(`--tolerance ${unknown.text}: no value of that name is compared`);
}

const timesOf = ({ name, milliseconds }: Comparison['sides'][number]) => ({ name, milliseconds });

function printComparison(io: Io, { findings, sides }: Comparison, failed: readonly Finding[], runs: number): void {
  const rows = findings.map((finding) => {
    const { passed, isCaptured, name, type, maxAbs, relativeL2, mismatch } = finding;
    const errors = mismatch === undefined ? [formatError(maxAbs), formatError(relativeL2)] : ['', ''];
    return [
      passed === null ? '' : passed ? 'ok' : 'FAIL',
      isCaptured ? 'inside' : 'output',
      name,
      type,
      ...errors,
      place(finding),
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
    io.print(`the first of them in the graph: ${first.name}${first.node ? `, of ${first.node}` : ''}`);
}

const shown = (x: unknown): string => (typeof x === 'number' ? String(Number(x.toPrecision(9))) : String(x));

function place({ at, mismatch }: Finding): string {
  const where = at && `[${at.index}]: ${shown(at.actual)}, not ${shown(at.expected)}`;
  return [mismatch, where].filter(Boolean).join('; ');
}
