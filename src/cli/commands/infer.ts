import { Command } from '@commander-js/extra-typings';
import { SardonyxError } from '../../base/errors.js';
import type { GraphProto, Issue } from '../../tools/index.js';
import { openDocument } from '../document.js';
import { type Io, STANDARD } from '../io.js';
import { type Assignment, assigned, wholeNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = `
Types follow from those of the inputs, through functions, branches, loops and scans; sizes are numbers, the model's own names
for them, or what is computed of these, such as 2*batch; others get a name each, unk__0 and so on. What the model says itself
stays. What cannot be inferred stays open, and is said on standard error; with --strict it is an error.

Examples:
  sardonyx infer model.onnx -o inferred.onnx
  sardonyx infer model.onnx -o inferred.onnx --dim batch=4 --strict
  sardonyx infer model.onnx -o - | sardonyx print -`;

export const inferCommand = (io: Io) =>
  new Command('infer')
    .description('Write the model with the types and shapes of all its values.')
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .requiredOption('-o, --output <file>', 'the file to write; - is standard output')
    .option('--dim <symbol=size>', 'fix the size of an open dimension (repeatable)', assigned(wholeNumber))
    .option('--strict', 'refuse a model that contradicts itself or the rules of an operator')
    .option('--no-data-propagation', 'leave the contents of tensors that are shapes out of account')
    .option('--json', 'print counts of values, and what stays open, as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (argument, { output, json, dim = [], ...options }) => {
      const model = await openDocument(io, argument);
      const { inferShapes } = await import('../../tools/on-demand.js');
      const issues: Issue[] = [];
      const onIssue = (issue: Issue) => issues.push(issue);
      const inferred = await inferShapes(model, { ...options, sizes: sizesOf(dim), onIssue }).catch(asUsage);
      const counts = countsIn(inferred.proto.graph);
      if (!json) for (const issue of issues) io.note(lineOf(issue));
      await deliverDocument(io, inferred, { output, json }, {}, { ...counts, issues });
      if (output !== STANDARD && !json) io.print(lineOfCounts(counts));
    });

/** A size that is none, or that the model does not have. */
function asUsage(error: unknown): never {
  const isOfSize = error instanceof SardonyxError && error.code === 'INVALID_ARGUMENT';
  throw isOfSize ? new UsageError(`--dim: ${error.message}`, { cause: error }) : error;
}

const sizesOf = (dims: readonly Assignment<number>[]): Record<string, number> =>
  Object.fromEntries(dims.map(({ name, value }) => [name, value]));

interface Counts {
  readonly values: number;
  readonly ranks: number;
  readonly shapes: number;
}

/** How many values that nodes make there are, of how many the rank is known, and of how many each size. */
function countsIn(graph: GraphProto | null | undefined): Counts {
  const made = new Set(graph?.node.flatMap(({ output }) => output).filter(Boolean));
  const infos = [...(graph?.output ?? []), ...(graph?.valueInfo ?? [])].filter(({ name }) => made.has(name));
  const shapes = infos.flatMap(({ type }) => (type?.tensorType?.shape?.dim ? [type.tensorType.shape.dim] : []));
  const known = shapes.filter((dims) => dims.every(({ dimParam, dimValue }) => !dimParam && dimValue !== undefined));
  return { values: made.size, ranks: shapes.length, shapes: known.length };
}

const lineOf = ({ path, operator, message }: Issue): string =>
  [`left open: ${path}`, operator, message].filter(Boolean).join(': ');

const lineOfCounts = ({ values, ranks, shapes }: Counts): string =>
  `${plural(values, 'value')}; the rank of ${ranks} is known, every size of ${shapes}`;
