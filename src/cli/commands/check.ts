import { Command } from '@commander-js/extra-typings';
import type { Issue } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { wholeNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { table } from '../table.js';

const EXAMPLES = `
All that ONNX's own checker looks at, and more, in one pass: fields, versions, names and their order, tensors and their data,
attributes, the signature and types of every version of every operator, functions, external data. Each line says where in the
file something is wrong. --full infers types and shapes, too. The exit status is 1 if there are errors; warnings leave it 0.

Examples:
  sardonyx check model.onnx
  sardonyx check model.onnx --full
  sardonyx check model.onnx --json | jq -r '.issues[].path'`;

export const checkCommand = (io: Io) =>
  new Command('check')
    .description('Say everything that is wrong with a model, and where.')
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .option('--full', 'infer types and shapes, too')
    .option('--custom-domains', "refuse operators that neither ONNX nor the model's functions define")
    .option('--limit <n>', 'how many issues to print at most', wholeNumber, 1000)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (argument, { json, ...options }) => {
      const model = await openDocument(io, argument);
      const { checkModel } = await import('../../tools/on-demand.js');
      const issues = await checkModel(model, options);
      const errors = issues.filter(({ severity }) => severity === 'error').length;
      const warnings = issues.length - errors;
      if (json) io.printJson({ errors, warnings, issues });
      else printIssues(io, issues, errors, warnings);
      if (errors > 0) io.exitCode = 1;
    });

function printIssues(io: Io, issues: readonly Issue[], errors: number, warnings: number): void {
  const rows = issues.map(({ severity, path, message, hint, ...place }) => [
    severity,
    path,
    nodeIn(place),
    hint ? `${message} (${hint})` : message,
  ]);
  if (rows.length > 0) io.print(`${table(['', 'where', 'node', 'what'], rows)}\n`);
  io.print(`${plural(errors, 'error')}, ${plural(warnings, 'warning')}`);
}

const nodeIn = ({ node, operator }: Pick<Issue, 'node' | 'operator'>): string =>
  [operator, node && `"${node}"`].filter(Boolean).join(' ');
