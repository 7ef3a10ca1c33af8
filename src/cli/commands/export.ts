import { Command, Option } from '@commander-js/extra-typings';
import type { Io } from '../io.js';
import { assigned, wholeNumber } from '../option-values.js';
import { exportModel, FORMATS } from '../translations.js';

const EXAMPLES = `
tfjs: FOLDER gets a graph model of TensorFlow.js: model.json, and files of weights of 4 MiB each, for tf.loadGraphModel. Names of inputs
and outputs, and the order of their axes, stay. coreml: FOLDER is a package with an mlprogram of Core ML, for iOS 15 and macOS 12 on;
sizes are fixed there. Where operators have no equal, nothing is written: each of them is listed with the reason, and the exit status is 1.

Examples:
  sardonyx export model.onnx --to tfjs -o web
  sardonyx export model.onnx --to tfjs -o web --json | jq '.obstacles'
  sardonyx export model.onnx --to coreml -o Model.mlpackage --dim batch=1`;

export const exportCommand = (io: Io) =>
  new Command('export')
    .description('Write a model in another format.')
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .addOption(
      new Option('--to <format>', 'the format')
        .choices(Object.keys(FORMATS) as readonly (keyof typeof FORMATS)[])
        .makeOptionMandatory(),
    )
    .requiredOption('-o, --output <folder>', 'the folder to write to')
    .option('--dim <symbol=size>', 'coreml: fix the size of an open dimension (repeatable)', assigned(wholeNumber))
    .option('--json', 'print files, or what has no equal, as JSON')
    .addHelpText('after', EXAMPLES)
    .action((argument, choices) => exportModel(io, argument, choices));
