import { Command } from '@commander-js/extra-typings';
import { importTensorFlowJS } from '../tensorflowjs.js';

const EXAMPLES = `
A graph model or layers model of TensorFlow.js: files of weights lie beside its model.json. Where operators or layers have no equal,
nothing is written: each of them is listed with the reason, and the exit status is 1.

Examples:
  sardonyx import model.json -o model.onnx
  sardonyx import https://example.org/web/model.json -o model.onnx`;

export const importCommand = new Command('import')
  .description('Make an ONNX model of one in another format.')
  .argument('<file>', 'a model.json of TensorFlow.js, or its URL')
  .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
  .option('--json', 'print what has no equal as JSON')
  .addHelpText('after', EXAMPLES)
  .action((argument, { output, json }) => importTensorFlowJS(argument, output, json === true));
