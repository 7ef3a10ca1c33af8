import { Argument, Command } from '@commander-js/extra-typings';
import { bisect } from '../debug/bisect.js';
import { reduce } from '../debug/reduce.js';
import { inputChoices, withInputOptions } from '../input-options.js';
import { positiveNumber } from '../option-values.js';
import { UsageError } from '../usage-error.js';

const EXAMPLES = `
reduce writes the part of a model with the fewest nodes for which something still holds, to be sent to whoever can mend it:
  --check COMMAND      a command ends as it does for the whole: with the same exit status, or signal; {} is the model's path
  --differs-from PEER  results are others than those of onnxruntime-node, onnxruntime-web or reference, as in "compare"
What the nodes that are gone have made are inputs then, or, with --constants, what it was in a run on the inputs.

bisect finds the rewrite of the optimizer with which the results begin to be others than those of the model as it is.

Examples:
  sardonyx debug reduce model.onnx -o small.onnx --check 'python run.py {}'
  sardonyx debug reduce model.onnx -o small.onnx --check 'python compare.py {}' --constants --dim batch=1
  sardonyx debug reduce model.onnx -o small.onnx --differs-from onnxruntime-node -i photo.jpg
  sardonyx debug bisect model.onnx --dim batch=1`;

const command = withInputOptions(
  new Command('debug')
    .description('Find the least part of a model that fails, or the rewrite of the optimizer that is wrong.')
    .addArgument(new Argument('<what>', 'what is made smaller').choices(['reduce', 'bisect'] as const))
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .option('-o, --output <file>', 'reduce: the file to write; - is standard output')
    .option('--check <command>', 'reduce: what a shell runs, with {} for the path of a model')
    .option('--differs-from <peer>', 'reduce: onnxruntime-node, onnxruntime-web, sardonyx:LEVEL or reference')
    .option('--constants', 'reduce: make constants of values that are made no more')
    .addHelpText('after', EXAMPLES),
)
  .option('--tolerance <e>', 'largest relative L2 error', positiveNumber, 1e-4)
  .option('--json', 'print JSON');

/** Options that bisect has not. */
const REDUCING = ['output', 'check', 'differsFrom', 'constants'] as const;

export const debugCommand = command.action(async (what, model, options) => {
  const { tolerance, json } = options;
  const inputs = inputChoices(options);
  if (what === 'reduce') {
    const { output, check, differsFrom, constants } = options;
    return reduce(model, { output, check, differsFrom, constants, tolerance, inputs, json });
  }
  const foreign = REDUCING.find((name) => options[name] !== undefined);
  if (foreign)
    throw new UsageError(`--${foreign === 'differsFrom' ? 'differs-from' : foreign} belongs to "debug reduce"`);
  return bisect(model, { tolerance, inputs, json });
});
