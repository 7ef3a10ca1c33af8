import { SardonyxError } from '../../base/errors.js';
import { openModel } from '../../session/open-model.js';
import type { Model, Predicate, Reduced } from '../../tools/index.js';
import { openDocument, writeDocument } from '../document.js';
import { type InputChoices, makeInputs } from '../feeds.js';
import { type Io, STANDARD } from '../io.js';
import { plural } from '../quantities.js';
import { UsageError } from '../usage-error.js';
import { endsAsBefore, withFolder } from './check-command.js';
import { differsFrom } from './differs-from.js';

export interface ReduceChoices {
  readonly output: string | undefined;
  readonly check: string | undefined;
  readonly differsFrom: string | undefined;
  readonly constants: true | undefined;
  readonly tolerance: number;
  readonly inputs: InputChoices;
  readonly json: true | undefined;
}

export async function reduce(io: Io, argument: string, choices: ReduceChoices): Promise<void> {
  const { output, check, differsFrom: peer, constants, json } = choices;
  if (output === undefined) throw new UsageError('"debug reduce" needs --output: the file to write, or -');
  if ((check === undefined) === (peer === undefined))
    throw new UsageError('"debug reduce" needs either --check COMMAND or --differs-from PEER');
  if (json && output === STANDARD)
    throw new UsageError('--output -: standard output cannot carry both the model and JSON (--json)');
  const model = await openDocument(io, argument);
  const feeds = constants || peer ? await feedsFor(io, model, choices.inputs) : undefined;
  const { reduceModel } = await import('../../tools/on-demand.js');
  const reduced = await withFolder((folder) =>
    reduceModel(model, predicateFor(io, choices, folder), {
      feeds,
      cutValues: constants ? 'constants' : 'inputs',
      onProgress: ({ runs, nodes }) => io.progress(`reducing: ${plural(nodes, 'node')} after ${plural(runs, 'run')}`),
    }).catch(refuse),
  );
  await writeDocument(io, reduced.model, output);
  report(io, model, reduced, choices);
}

const predicateFor = (io: Io, { check, differsFrom: peer, tolerance }: ReduceChoices, folder: string): Predicate =>
  check === undefined ? differsFrom(io, peer as string, tolerance, folder) : endsAsBefore(io, check, folder);

/** Reports an error in the command itself as wrong usage. */
function refuse(error: unknown): never {
  const cause = error instanceof SardonyxError ? error.cause : undefined;
  throw cause instanceof UsageError ? cause : error;
}

async function feedsFor(io: Io, model: Model, inputs: InputChoices) {
  const { fromExternalData, saveModel } = await import('../../tools/on-demand.js');
  const { graph } = await openModel(await saveModel(await fromExternalData(model)), {});
  return (await makeInputs(io, graph, inputs)).feeds;
}

function report(io: Io, model: Model, reduced: Reduced, { json, output }: ReduceChoices): void {
  const { nodes, outcomes, error } = reduced;
  const { node = [], input = [], output: outputs = [] } = reduced.model.proto.graph ?? {};
  const before = model.proto.graph?.node.length ?? 0;
  const operators = node.map(({ opType }) => opType);
  const [inputNames, outputNames] = [input, outputs].map((infos) => infos.map(({ name }) => name));
  if (json)
    io.printJson({ nodes: { before, after: nodes }, operators, inputs: inputNames, outputs: outputNames, outcomes });
  else (output === STANDARD ? io.note : io.print)(described(before, nodes, operators, outcomes, error));
}

function described(
  before: number,
  after: number,
  operators: readonly string[],
  { held, failed, thrown, invalid }: Reduced['outcomes'],
  error: unknown,
): string {
  const runs = plural(held + failed + thrown, 'run');
  return [
    `${plural(before, 'node')} → ${after} after ${runs}: ${operators.join(', ')}`,
    ...(thrown > 0
      ? [`not tested because of errors: ${thrown}; the last error: ${(error as Error)?.message ?? error}`]
      : []),
    ...(invalid > 0 ? [`skipped as invalid models: ${invalid}`] : []),
  ].join('\n');
}
