import { SardonyxError } from '../../base/errors.js';
import { isTensorValue } from '../../tensor/tensor-value.js';
import { capturedNames } from '../captured-names.js';
import { makeInputs, runOn } from '../feeds.js';
import { inputChoices, withInputOptions } from '../input-options.js';
import type { Io } from '../io.js';
import { modelSource } from '../model-source.js';
import { MODEL, newCommand } from '../new-command.js';
import { collected, numberOrAll, wholeNumber } from '../option-values.js';
import { type Destination, deliver, destinationOf, type NamedValue } from '../output-files.js';
import { plural } from '../quantities.js';
import { printRun, printRunJson, timeOf } from '../run-report.js';
import { sessionOptions, withSessionOptions } from '../session-options.js';
import { isScores, readLabels } from '../top-entries.js';
import { concerning, UsageError } from '../usage-error.js';
import { timed, withSession } from '../with-session.js';

const EXAMPLES = [
  'run model.onnx --dim batch=4',
  'run classifier.onnx -i photo.jpg --normalize imagenet --labels imagenet.txt --top 3',
  'run bert.onnx -i input_ids=ids.npy -i attention_mask=mask.npy -o last_hidden_state=hidden.npy',
  'run model.onnx --shape x=1x3x64x96 --json | jq .outputs',
  'run model.onnx -i - -o - < x.npy > y.npy',
  'run model.onnx -i x.npy --capture all -o values',
];

const NOTES = `
Inputs without a file are generated from --seed: floating-point values between 0 and 1, integers and booleans 0 or 1.
Images are converted to the layout of the model's input, NCHW or NHWC.`;

const command = () =>
  withSessionOptions(
    withInputOptions(
      newCommand('run', 'Run a model once and print its outputs.', EXAMPLES)
        .argument('<model>', MODEL)
        .addHelpText('after', NOTES),
    ),
  )
    .option(
      '-o, --output <name=file>',
      'write an output to a .npy, .pb or .json file or to - (standard output), or all outputs to a .json file or a folder (repeatable)',
      collected,
    )
    .option('--capture <names>', 'also return these intermediate values, or all (repeatable)', collected)
    .option(
      '--values <n>',
      'number of elements to print of each output, or all (default: 8; all with --json)',
      numberOrAll,
    )
    .option('--top <n>', 'print the n largest entries along the last dimension', wholeNumber)
    .option('--labels <file>', 'file with class names, one per line; implies --top 5')
    .option('--json', 'print JSON');

type Options = ReturnType<ReturnType<typeof command>['opts']>;

export const runCommand = (io: Io) =>
  command().action(async (argument: string, options: Options) => {
    const labels = options.labels === undefined ? undefined : labelsOf(options.labels);
    const source = await modelSource(io, argument);
    const extraOutputs = await captured(source, options.capture ?? []);
    io.progress(`loading ${argument}`);
    await withSession(source, { ...sessionOptions(options), extraOutputs }, async (session, create) => {
      const destinations = (options.output ?? []).map((text) => destinationOf(text, session.outputNames));
      checkStandardOutput(io, destinations, options);
      const inputs = await makeInputs(io, session.model.graph, inputChoices(options));
      io.progress(`running ${argument}`);
      const [run, results] = await timed(() => runOn(session, inputs));
      const values = session.model.graph.outputs.map(({ name, type }): NamedValue => {
        return { name, type, value: results[name] ?? null, isCaptured: extraOutputs.includes(name) };
      });
      if (labels) checkLabels(labels, values);
      for (const destination of destinations) deliver(io, destination, values);
      const shown = destinations.some(takesAll) ? values.filter(({ isCaptured }) => !isCaptured) : values;
      const ran = { milliseconds: { create, run }, threads: session.threads, values: shown };
      const shape = { elements: options.values, top: options.top ?? (labels ? 5 : 0), labels: labels?.names };
      if (options.json) printRunJson(io, ran, shape);
      else if (destinations.some(({ kind }) => kind === 'stdout')) io.note(timeOf(ran));
      else printRun(io, ran, shape, values.length - shown.length);
    });
  });

interface Labels {
  readonly option: string;
  readonly names: readonly string[];
}

const labelsOf = (file: string): Labels => {
  const option = `--labels ${file}`;
  try {
    return { option, names: readLabels(file) };
  } catch (cause) {
    throw new SardonyxError('FILE_UNREADABLE', `${option}: ${(cause as Error).message}`, {}, { cause });
  }
};

/**
 * Checks that an output can have scores for the labels.
 * @throws UsageError if no output has as many scores as there are labels
 */
function checkLabels({ option, names }: Labels, values: readonly NamedValue[]): void {
  const outputs = values.filter(({ isCaptured }) => !isCaptured);
  if (outputs.some(({ value }) => isTensorValue(value) && isScores(value, names))) return;
  const found = outputs.map(
    ({ name, value }) => `${name}: ${isTensorValue(value) ? `${value.type}[${value.dims}]` : 'not a tensor'}`,
  );
  throw new UsageError(
    `${option}: the file has ${plural(names.length, 'label')}, but the last dimension of no output has that size (${found.join(', ')})`,
  );
}

/** The intermediate values that `--capture` names. */
async function captured(source: string | Uint8Array, given: readonly string[]): Promise<string[]> {
  return given.length === 0 ? [] : concerning(`--capture ${given.join(',')}`, () => capturedNames(source, given));
}

/** Intermediate values are printed unless they are written to files. */
const takesAll = ({ kind }: Destination): boolean => kind === 'folder' || kind === 'json';

function checkStandardOutput(io: Io, destinations: readonly Destination[], { json }: Options): void {
  const [first, second] = destinations.filter(({ kind }) => kind === 'stdout');
  if (second) throw new UsageError(`${second.option}: only one output can go to standard output`);
  if (first && json)
    throw new UsageError(`${first.option}: standard output cannot carry both an output and JSON (--json)`);
  if (first && io.host.stdout.isTTY)
    throw new UsageError(`${first.option}: standard output is a terminal; redirect it to a file or a program`);
}
