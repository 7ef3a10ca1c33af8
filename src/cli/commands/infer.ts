import { SardonyxError } from '../../base/errors.js';
import type { GraphProto, Issue } from '../../tools/index.js';
import { openDocument } from '../document.js';
import { type Io, STANDARD } from '../io.js';
import { MODEL, newCommand, OUTPUT } from '../new-command.js';
import { type Assignment, assigned, wholeNumber } from '../option-values.js';
import { plural } from '../quantities.js';
import { UsageError } from '../usage-error.js';
import { deliverDocument } from '../written.js';

const EXAMPLES = [
  'infer model.onnx -o inferred.onnx',
  'infer model.onnx -o inferred.onnx --dim batch=4 --strict',
  'infer model.onnx -o - | sardonyx print -',
];

const NOTES = `
Dimensions are numbers, the names that the model uses, expressions such as 2*batch, or new names: unk__0, unk__1, …`;

export const inferCommand = (io: Io) =>
  newCommand('infer', 'Infer the types and shapes of all values, and write them into the model.', EXAMPLES)
    .argument('<model>', MODEL)
    .requiredOption('-o, --output <file>', OUTPUT)
    .option('--dim <name=size>', 'fix a dynamic dimension (repeatable)', assigned(wholeNumber))
    .option('--strict', 'fail if the model contradicts itself or the rules of an operator')
    .option('--no-data-propagation', 'do not compute the contents of shape tensors')
    .option('--json', 'print counts and unresolved types as JSON')
    .addHelpText('after', NOTES)
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

/** Reports an invalid --dim as wrong usage. */
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

/** Counts the outputs of nodes, those of known rank, and those of fully known shape. */
function countsIn(graph: GraphProto | null | undefined): Counts {
  const made = new Set(graph?.node.flatMap(({ output }) => output).filter(Boolean));
  const infos = [...(graph?.output ?? []), ...(graph?.valueInfo ?? [])].filter(({ name }) => made.has(name));
  const shapes = infos.flatMap(({ type }) => (type?.tensorType?.shape?.dim ? [type.tensorType.shape.dim] : []));
  const known = shapes.filter((dims) => dims.every(({ dimParam, dimValue }) => !dimParam && dimValue !== undefined));
  return { values: made.size, ranks: shapes.length, shapes: known.length };
}

const lineOf = ({ path, operator, message }: Issue): string =>
  [`unresolved: ${path}`, operator, message].filter(Boolean).join(': ');

const lineOfCounts = ({ values, ranks, shapes }: Counts): string =>
  `${plural(values, 'value')}: ${ranks} with known rank, ${shapes} with fixed shape`;
