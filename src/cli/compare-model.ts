import { SardonyxError } from '../base/errors.js';
import type { Graph, Value } from '../graph/graph.js';
import { formatType } from '../graph/types.js';
import { operatorName } from '../graph/walk.js';
import { openModel } from '../session/open-model.js';
import type { SessionOptions } from '../session/options.js';
import { comparedIn, type Finding, findingsOf, labelOf, type Maker } from '../tools/compare/findings.js';
import { capturedNames } from './captured-names.js';
import { type InputChoices, makeInputs, openInputs, runOn } from './feeds.js';
import type { InputFacts } from './generated-sizes.js';
import type { Io } from './io.js';
import { modelSource } from './model-source.js';
import { openPeer } from './peers/open-peer.js';
import type { Peer, PeerOptions, Task, Trial } from './peers/peer.js';
import { otherModel, sardonyxWith } from './peers/sardonyx.js';
import { concerning } from './usage-error.js';

export interface CompareChoices {
  readonly with: { readonly peer: string } | { readonly model: string };
  readonly capture: readonly string[];
  readonly toleranceOf: (name: string) => number;
  readonly runs: number;
  readonly session: SessionOptions;
  readonly inputs: InputChoices;
}

export interface Comparison {
  readonly sides: readonly Side[];
  /** The findings in the order of the nodes that compute the values. */
  readonly findings: readonly Finding[];
  readonly inputs: readonly InputFacts[];
  /** The names of the sides that did not return a value. */
  readonly withoutValue: (name: string) => readonly string[];
}

/**
 * Runs a model with Sardonyx and with a peer on the same inputs. Intermediate values come from runs of their own, so that both
 * sides are timed without captures, which prevent fusions.
 */
export async function compareModel(io: Io, argument: string, choices: CompareChoices): Promise<Comparison> {
  const { session, capture, toleranceOf } = choices;
  const source = await modelSource(io, argument);
  const extraOutputs = await concerning(`--capture ${capture}`, () => capturedNames(source, capture));
  const peer = peerFor(choices.with, { session, folder: process.cwd(), io });
  const { graph } = await openModel(source, {});
  await requireSameBorders(io, { name: argument, graph }, choices.with);
  const inputs = await makeInputs(io, graph, choices.inputs);
  const both = [sardonyxWith(session), peer];
  const task: Task = { model: source, extraOutputs: [], feeds: inputs.feeds, runs: choices.runs };
  const runAll = async (task: Task): Promise<Side[]> => {
    const sides: Side[] = [];
    for (const peer of both) sides.push(await runOn(runner(io, peer, task), inputs));
    return sides;
  };
  const captured = extraOutputs.length > 0 ? await runAll({ ...task, extraOutputs, runs: 0 }) : [];
  const sides = await runAll(task);
  const all = sides.map(({ name, values }, i) => ({ name, values: { ...captured[i]?.values, ...values } }));
  const [actual, expected] = all.map(({ values }) => values);
  const outputs = graph.outputs.map(({ name }) => name);
  const compared = comparedIn(makersIn(graph), outputs, extraOutputs);
  const findings = findingsOf(compared, actual ?? {}, expected ?? {}, toleranceOf);
  const withoutValue = (name: string) =>
    all.filter(({ values }) => !Object.hasOwn(values, name)).map((side) => side.name);
  return { sides, findings, inputs: inputs.facts, withoutValue };
}

const peerFor = (chosen: CompareChoices['with'], options: PeerOptions): Peer =>
  'model' in chosen
    ? otherModel(chosen.model, options)
    : concerning(`--with ${chosen.peer}`, () => openPeer(chosen.peer, options));

interface NamedGraph {
  readonly name: string;
  readonly graph: Graph;
}

/**
 * Reports outputs that only one of two models has.
 * @throws SardonyxError if the models have different inputs or no common output
 */
async function requireSameBorders(io: Io, one: NamedGraph, chosen: CompareChoices['with']): Promise<void> {
  const path = 'model' in chosen ? chosen.model : /\.onnx$/.test(chosen.peer) ? chosen.peer : undefined;
  if (path === undefined) return;
  const other = { name: path, graph: (await openModel(path, {})).graph };
  const pair = one.name === path ? [`${path} (first)`, `${path} (second)`] : [one.name, path];
  const [first, second] = [one, other].map(({ graph }, i) => ({ name: pair[i] as string, graph })) as [
    NamedGraph,
    NamedGraph,
  ];
  const inputs = [
    ...lacking('input', first, second, openInputs(second.graph), first.graph.inputs),
    ...lacking('input', second, first, openInputs(first.graph), second.graph.inputs),
    ...otherTypes(first, second),
  ];
  if (inputs.length > 0) throw unlike(inputs);
  const outputs = [
    ...lacking('output', first, second, second.graph.outputs, first.graph.outputs),
    ...lacking('output', second, first, first.graph.outputs, second.graph.outputs),
  ];
  const names = new Set(second.graph.outputs.map(({ name }) => name));
  if (!first.graph.outputs.some(({ name }) => names.has(name))) throw unlike(outputs);
  for (const line of outputs) io.note(`note: ${line}`);
}

const unlike = (lines: readonly string[]) =>
  new SardonyxError('INVALID_ARGUMENT', `the models cannot be compared: ${lines.join('; ')}`);

const quoted = (values: readonly Value[]) => values.map(({ name }) => `"${name}"`).join(', ');

function lacking(
  what: 'input' | 'output',
  one: NamedGraph,
  other: NamedGraph,
  wanted: readonly Value[],
  present: readonly Value[],
): string[] {
  const names = new Set(present.map(({ name }) => name));
  const missing = wanted.filter(({ name }) => !names.has(name));
  if (missing.length === 0) return [];
  return [`${one.name} lacks the ${what}${missing.length > 1 ? 's' : ''} ${quoted(missing)} of ${other.name}`];
}

/** Inputs with the same name but different kinds or element types. */
function otherTypes(first: NamedGraph, second: NamedGraph): string[] {
  const types = new Map(second.graph.inputs.map(({ name, type }) => [name, type]));
  return first.graph.inputs.flatMap(({ name, type }) => {
    const other = types.get(name);
    const isSame = !type || !other || (elementOf(type) ?? type.kind) === (elementOf(other) ?? other.kind);
    return isSame
      ? []
      : [`input "${name}" is ${formatType(type)} in ${first.name} and ${formatType(other)} in ${second.name}`];
  });
}

const elementOf = (type: NonNullable<Value['type']>) => (type.kind === 'tensor' ? type.element : undefined);

const makersIn = ({ nodes }: Graph): Maker[] =>
  nodes.map((node) => ({
    label: labelOf(operatorName(node), node.name),
    outputs: node.outputs.flatMap((value) => value?.name ?? []),
  }));

interface Side extends Trial {
  readonly name: string;
}

const runner = (io: Io, peer: Peer, task: Task) => ({
  async run(): Promise<Side> {
    io.progress(`running ${peer.name}`);
    return { name: peer.name, ...(await peer.run(task)) };
  },
});
