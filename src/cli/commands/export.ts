import { Command, Option } from '@commander-js/extra-typings';
import { exportTensorFlowJS } from '../tensorflowjs.js';

const EXAMPLES = `
FOLDER gets a graph model: model.json, and files of weights of 4 MiB each, for tf.loadGraphModel. Names of inputs and outputs, and the
order of their axes, stay. Where operators have no equal, nothing is written: each of them is listed with the reason, and the exit status is 1.

Examples:
  sardonyx export model.onnx --to tfjs -o web
  sardonyx export model.onnx --to tfjs -o web --json | jq '.obstacles'`;

export const exportCommand = new Command('export')
  .description('Write a model in another format.')
  .argument('<model>', 'an ONNX file, its URL, or - for standard input')
  .addOption(new Option('--to <format>', 'the format').choices(['tfjs']).makeOptionMandatory())
  .requiredOption('-o, --output <folder>', 'the folder to write to')
  .option('--json', 'print files, or what has no equal, as JSON')
  .addHelpText('after', EXAMPLES)
  .action((argument, { output, json }) => exportTensorFlowJS(argument, output, json === true));
