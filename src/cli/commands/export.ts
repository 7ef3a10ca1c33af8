import { Command, Option } from '@commander-js/extra-typings';
import { exportCoreML } from '../coreml.js';
import { assigned, wholeNumber } from '../option-values.js';

const EXAMPLES = `
coreml is a package for iOS 15 and macOS 12 on: an mlprogram in float32, of fixed sizes. Where nodes have no equal, nothing is written: each of them
is listed with the reason, and the exit status is 1.

Examples:
  sardonyx export mobilenet_v2.onnx --to coreml -o mobilenet_v2.mlpackage --dim batch=1
  sardonyx export model.onnx --to coreml -o model.mlpackage --json | jq '.obstacles'`;

export const exportCommand = new Command('export')
  .description('Write a model in another format.')
  .argument('<model>', 'an ONNX file, its URL, or - for standard input')
  .addOption(new Option('--to <format>', 'the format').choices(['coreml']).makeOptionMandatory())
  .requiredOption('-o, --output <folder>', 'the folder to write to')
  .option('--dim <name=size>', 'number for a size that has a name (repeatable)', assigned(wholeNumber))
  .option('--json', 'print files, or what has no equal, as JSON')
  .addHelpText('after', EXAMPLES)
  .action((argument, { output, dim = [], json }) => {
    const sizes = Object.fromEntries(dim.map(({ name, value }) => [name, value]));
    return exportCoreML(argument, { output, sizes, asJson: json === true });
  });
