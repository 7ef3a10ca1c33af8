import { Command } from '@commander-js/extra-typings';
import type { ConversionError } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { wholeNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { table } from '../table.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = `
Functions, and graphs in nodes, are converted too. Where nodes have no equal in the opset, nothing is written: each of them is listed with the reason,
and how far the model can go; the exit status is 1.

Examples:
  sardonyx convert model.onnx --opset 18 -o newer.onnx
  sardonyx convert trees.onnx --opset 3 --domain ai.onnx.ml -o older.onnx
  sardonyx convert model.onnx --opset 9 -o older.onnx --json | jq '.reachable'`;

export const convertCommand = (io: Io) =>
  new Command('convert')
    .description("Convert a model to another opset of ONNX's operators, up or down.")
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .requiredOption('--opset <n>', 'the opset', wholeNumber)
    .option('--domain <name>', 'ai.onnx.ml, whose operators are then converted')
    .option('--ir <n>', 'the IR version; what the opset came with if left out', wholeNumber)
    .option('--fix-defaults', 'take inputs with default values for constants')
    .option('--json', 'print what was written, or the obstacles, as JSON')
    .addHelpText('after', EXAMPLES)
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
  io.print(`${table(['where', 'node', 'why it stays'], rows)}\n`);
  io.print(
    `${plural(obstacles.length, 'node')} cannot be said in opset ${opset}; the nearest that all reach is ${reachable}`,
  );
}
