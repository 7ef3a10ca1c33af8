import type { ConversionError } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { MODEL, newCommand, OUTPUT } from '../new-command.js';
import { wholeNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { table } from '../table.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = [
  'convert model.onnx --opset 18 -o newer.onnx',
  'convert trees.onnx --opset 3 --domain ai.onnx.ml -o older.onnx',
  "convert model.onnx --opset 9 -o older.onnx --json | jq '.reachable'",
];

const NOTES = `
If nodes have no equivalent in the opset, nothing is written: the command lists them with the reason and the nearest possible
opset, and the exit status is 1.`;

export const convertCommand = (io: Io) =>
  newCommand('convert', 'Convert a model to a newer or older opset.', EXAMPLES)
    .argument('<model>', MODEL)
    .requiredOption('-o, --output <file>', OUTPUT)
    .requiredOption('--opset <n>', 'opset version', wholeNumber)
    .option('--domain <name>', 'convert the operators of this domain (ai.onnx.ml) instead')
    .option('--ir <n>', 'IR version (default: that of the release with the opset)', wholeNumber)
    .option('--fix-defaults', 'treat inputs with default values as constants')
    .option('--json', 'print a summary of the written model, or the obstacles, as JSON')
    .addHelpText('after', NOTES)
    .action(async (argument, { output, opset, json, domain, ...options }) => {
      const { ConversionError, convertVersion } = await import('../../tools/on-demand.js');
      const model = await openDocument(io, argument);
      try {
        const converted = await convertVersion(model, opset, {
          ...options,
          ...(domain && { domain: domain as 'ai.onnx.ml' }),
        });
        await deliverDocument(io, converted, { output, json });
      } catch (thrown) {
        if (!(thrown instanceof ConversionError)) throw thrown;
        if (json) io.printJson({ reachable: thrown.reachable, obstacles: thrown.obstacles });
        else printObstacles(io, thrown, opset);
        io.exitCode = 1;
      }
    });

function printObstacles(io: Io, { obstacles, reachable }: ConversionError, opset: number): void {
  const rows = obstacles.map(({ path, node, operator, reason }) => [
    path,
    `${operator}${node && ` "${node}"`}`,
    reason,
  ]);
  io.print(`${table(['location', 'node', 'reason'], rows)}\n`);
  io.print(
    `Nothing was written: ${plural(obstacles.length, 'node')} cannot be converted to opset ${opset}. The nearest possible opset is ${reachable}.`,
  );
}
