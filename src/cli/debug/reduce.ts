import { SardonyxError } from '../../base/errors.js';
import { openModel } from '../../session/open-model.js';
import type { Model, Predicate, Reduced } from '../../tools/index.js';
import { openDocument, writeDocument } from '../document.js';
import { type InputChoices, makeInputs } from '../feeds.js';
import { note, print, printJson } from '../print.js';
import { progress } from '../progress.js';
import { plural } from '../quantities.js';
import { STANDARD } from '../standard-input.js';
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

export async function reduce(argument: string, choices: ReduceChoices): Promise<void> {
  const { output, check, differsFrom: peer, constants, json } = choices;
  if (output === undefined) throw new UsageError('--output is missing: the file to write, or -');
  if ((check === undefined) === (peer === undefined))
    throw new UsageError('say by what the model is reduced: --check COMMAND, or --differs-from PEER');
  if (json && output === STANDARD)
    throw new UsageError('--output -: standard output cannot have the JSON too (--json)');
  const model = await openDocument(argument);
  const feeds = constants || peer ? await feedsFor(model, choices.inputs) : undefined;
  const { reduceModel } = await import('../../tools/on-demand.js');
  const reduced = await withFolder((folder) =>
    reduceModel(model, predicateFor(choices, folder), {
      feeds,
      cutValues: constants ? 'constants' : 'inputs',
      onProgress: ({ runs, nodes }) => progress(`reducing: ${plural(nodes, 'node')} after ${plural(runs, 'run')}`),
    }).catch(refuse),
  );
  await writeDocument(reduced.model, output);
  report(model, reduced, choices);
}

const predicateFor = ({ check, differsFrom: peer, tolerance }: ReduceChoices, folder: string): Predicate =>
  check === undefined ? differsFrom(peer as string, tolerance, folder) : endsAsBefore(check, folder);

/** What is wrong with the command itself is said as such. */
function refuse(error: unknown): never {
  const cause = error instanceof SardonyxError ? error.cause : undefined;
  throw cause instanceof UsageError ? cause : error;
}

async function feedsFor(model: Model, inputs: InputChoices) {
  const { fromExternalData, saveModel } = await import('../../tools/on-demand.js');
  const { graph } = await openModel(await saveModel(await fromExternalData(model)), {});
  return (await makeInputs(graph, inputs)).feeds;
}

function report(model: Model, reduced: Reduced, { json, output }: ReduceChoices): void {
  const { nodes, outcomes, error } = reduced;
  const { node = [], input = [], output: outputs = [] } = reduced.model.proto.graph ?? {};
  const before = model.proto.graph?.node.length ?? 0;
  const operators = node.map(({ opType }) => opType);
  const [inputNames, outputNames] = [input, outputs].map((infos) => infos.map(({ name }) => name));
  if (json)
    printJson({ nodes: { before, after: nodes }, operators, inputs: inputNames, outputs: outputNames, outcomes });
  else (output === STANDARD ? note : print)(described(before, nodes, operators, outcomes, error));
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
    `${plural(before, 'node')} became ${after} after ${runs}: ${operators.join(', ')}`,
    ...(thrown > 0 ? [`not judged: ${thrown}, the last because ${(error as Error)?.message ?? error}`] : []),
    ...(invalid > 0 ? [`not tried, as ONNX's rules do not let them be: ${invalid}`] : []),
  ].join('\n');
}
