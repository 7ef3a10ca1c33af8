import { Option } from '@commander-js/extra-typings';
import type { Io } from '../io.js';
import { MODEL, newCommand } from '../new-command.js';
import { assigned, wholeNumber } from '../option-values.js';
import { exportModel, FORMATS } from '../translations.js';

const EXAMPLES = [
  'export model.onnx --to tfjs -o web',
  "export model.onnx --to tfjs -o web --json | jq '.obstacles'",
  'export model.onnx --to coreml -o Model.mlpackage --dim batch=1',
];

const NOTES = `
Formats:
  tfjs    a TensorFlow.js graph model, for tf.loadGraphModel
  coreml  a Core ML package with an mlprogram and fixed sizes, for iOS 15 and macOS 12 or later

If operators have no equivalent in the format, nothing is written: the command lists them with the reason, and the exit status is 1.`;

export const exportCommand = (io: Io) =>
  newCommand('export', 'Export a model to TensorFlow.js or Core ML.', EXAMPLES)
    .argument('<model>', MODEL)
    .addOption(
      new Option('--to <format>', 'target format')
        .choices(Object.keys(FORMATS) as readonly (keyof typeof FORMATS)[])
        .makeOptionMandatory(),
    )
    .requiredOption('-o, --output <folder>', 'folder to write, in a folder that exists')
    .option('--dim <name=size>', 'coreml: fix a dynamic dimension (repeatable)', assigned(wholeNumber))
    .option('--json', 'print the written files, or the obstacles, as JSON')
    .addHelpText('after', NOTES)
    .action((argument, choices) => exportModel(io, argument, choices));
