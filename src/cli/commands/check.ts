import type { Issue } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { MODEL, newCommand } from '../new-command.js';
import { wholeNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { table } from '../table.js';

const EXAMPLES = ['check model.onnx', 'check model.onnx --full', "check model.onnx --json | jq -r '.issues[].path'"];

const NOTES = `
The exit status is 1 if there are errors; warnings leave it 0.`;

export const checkCommand = (io: Io) =>
  newCommand('check', 'Check that a model is valid, and list all errors with their location.', EXAMPLES)
    .argument('<model>', MODEL)
    .option('--full', 'also infer types and shapes')
    .option('--custom-domains', "report operators that neither ONNX nor the model's functions define")
    .option('--limit <n>', 'maximum number of issues to print', wholeNumber, 1000)
    .option('--json', 'print JSON')
    .addHelpText('after', NOTES)
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
  if (rows.length > 0) io.print(`${table(['', 'location', 'node', 'problem'], rows)}\n`);
  io.print(`${plural(errors, 'error')}, ${plural(warnings, 'warning')}`);
}

const nodeIn = ({ node, operator }: Pick<Issue, 'node' | 'operator'>): string =>
  [operator, node && `"${node}"`].filter(Boolean).join(' ');
