import { writeFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { InferenceSession, type Results } from '../../session/inference-session.js';
import { writeNpy } from '../../tensor/npy.js';
import { type HostValue, isTensorValue } from '../../tensor/tensor-value.js';
import { describeValue, jsonValue } from '../describe-value.js';
import { makeFeeds } from '../feeds.js';
import { inputChoices, withImageOptions, withInputOptions } from '../input-options.js';
import { named, text, wholeNumber } from '../option-values.js';
import { print, printJson } from '../print.js';
import { progress } from '../progress.js';
import { sessionOptions, withSessionOptions } from '../session-options.js';
import { table } from '../table.js';
import { isScores, readLabels, topEntries } from '../top-entries.js';
import { UsageError } from '../usage-error.js';

const EXAMPLES = `
Inputs that have no file are generated: floats uniform in 0…1, whole numbers 0 or 1, the same for equal seeds.
An image becomes the NCHW or NHWC tensor that the model's input asks for.

Examples:
  sardonyx run model.onnx --dim batch=4
  sardonyx run classifier.onnx -i photo.jpg --normalize imagenet --labels imagenet.txt --top 3
  sardonyx run bert.onnx -i input_ids=ids.npy -i attention_mask=mask.npy -o last_hidden_state=hidden.npy
  sardonyx run model.onnx --shape x=1x3x64x96 --json | jq .outputs`;

const command = withSessionOptions(
  withImageOptions(
    withInputOptions(
      new Command('run')
        .description('Run a model once and print its outputs.')
        .argument('<model>', 'an ONNX file')
        .addHelpText('after', EXAMPLES),
    ),
  ),
)
  .option('-o, --output <name=file.npy>', 'write an output to a file (repeatable)', named(text, ''))
  .option('--values <n>', 'elements to print of each output', wholeNumber, 8)
  .option('--top <n>', 'print the n largest entries along the last dimension', wholeNumber)
  .option('--labels <file>', 'names of the classes, one per line; implies --top 5')
  .option('--json', 'print JSON');

type Options = ReturnType<typeof command.opts>;

export const runCommand = command.action(async (model: string, options: Options) => {
  const labels = options.labels === undefined ? undefined : readLabels(options.labels);
  progress(`loading ${model}`);
  const session = await InferenceSession.create(model, sessionOptions(options));
  const files = outputFiles(session.outputNames, options.output ?? new Map());
  const feeds = await makeFeeds(session, inputChoices(options));
  progress(`running ${model}`);
  const started = performance.now();
  const results = await session.run(feeds);
  const milliseconds = performance.now() - started;
  for (const [name, file] of files) writeOutput(file, results[name] as HostValue);
  const count = options.top ?? (labels ? 5 : 0);
  if (options.json) printJson({ milliseconds, outputs: jsonOutputs(results, options.values, count, labels) });
  else printOutputs(results, options.values, count, labels);
  await session.release();
});

function outputFiles(names: readonly string[], given: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...given].map(([name, file]) => {
      if (name === '' && names.length > 1) throw new UsageError(`say which output, as NAME=FILE: ${names.join(', ')}`);
      if (name !== '' && !names.includes(name))
        throw new UsageError(`the model has no output "${name}"; its outputs are ${names.join(', ')}`);
      if (!file.endsWith('.npy')) throw new UsageError(`"${file}": outputs are written as .npy files`);
      return [name || (names[0] as string), file];
    }),
  );
}

function writeOutput(file: string, value: HostValue): void {
  if (!isTensorValue(value)) throw new UsageError(`${file}: only tensors can be written as .npy`);
  writeFileSync(file, writeNpy(value));
}

function printOutputs(results: Results, values: number, count: number, labels: readonly string[] | undefined): void {
  const names = Object.keys(results);
  const rows = names.map((name) => [name, describeValue(results[name] as HostValue, values)]);
  print(table(['', ''], rows));
  for (const name of names) {
    const value = results[name] as HostValue;
    if (count === 0 || !isTensorValue(value) || (labels && !isScores(value, labels))) continue;
    for (const [row, entries] of topEntries(value, count, labels).entries()) {
      print(`\n${name}[${row}]`);
      const lines = entries.map((e) => [String(e.index), e.label ?? '', String(Number(e.value.toPrecision(6)))]);
      print(table(['>', '', '>'], lines).replace(/^/gm, '  '));
    }
  }
}

function jsonOutputs(results: Results, values: number, count: number, labels: readonly string[] | undefined) {
  return Object.fromEntries(
    Object.entries(results).map(([name, value]) => {
      const top =
        count > 0 && isTensorValue(value) && (!labels || isScores(value, labels))
          ? { top: topEntries(value, count, labels) }
          : {};
      const json = jsonValue(value, values);
      return [name, isTensorValue(value) ? { ...(json as object), ...top } : json];
    }),
  );
}
