import type { Graph } from '../graph/graph.js';
import { operatorName } from '../graph/walk.js';
import { openModel } from '../session/open-model.js';
import type { SessionOptions } from '../session/options.js';
import { comparedIn, type Finding, findingsOf, labelOf, type Maker } from '../tools/compare/findings.js';
import { capturedNames } from './captured-names.js';
import { type InputChoices, makeInputs, runOn } from './feeds.js';
import type { Io } from './io.js';
import { modelSource } from './model-source.js';
import { openPeer } from './peers/open-peer.js';
import type { Peer, PeerOptions, Task, Trial } from './peers/peer.js';
import { otherModel, sardonyxWith } from './peers/sardonyx.js';
import { concerning } from './usage-error.js';

export interface CompareChoices {
  /** What to compare with, as the command line says it: a peer, or another model. */
  readonly with: { readonly peer: string } | { readonly model: string };
  readonly capture: readonly string[];
  readonly toleranceOf: (name: string) => number;
  readonly runs: number;
  readonly session: SessionOptions;
  readonly inputs: InputChoices;
}

export interface Comparison {
  readonly sides: readonly Side[];
  /** In the order of the nodes that compute them. */
  readonly findings: readonly Finding[];
}

/** Runs a model here and by a peer on the same inputs. */
export async function compareModel(io: Io, argument: string, choices: CompareChoices): Promise<Comparison> {
  const { session, capture, toleranceOf } = choices;
  const source = await modelSource(io, argument);
  const extraOutputs = await concerning(`--capture ${capture}`, () => capturedNames(source, capture));
  const peer = peerFor(choices.with, { threads: session.intraOpNumThreads ?? 1, folder: process.cwd(), io });
  const { graph } = await openModel(source, {});
  const inputs = await makeInputs(io, graph, choices.inputs);
  const task: Task = { model: source, extraOutputs, feeds: inputs.feeds, runs: choices.runs };
  const ours = await runOn(runner(io, sardonyxWith(session), task), inputs);
  const theirs = await runOn(runner(io, peer, task), inputs);
  const outputs = graph.outputs.map(({ name }) => name);
  const compared = comparedIn(makersIn(graph), outputs, extraOutputs);
  return { sides: [ours, theirs], findings: findingsOf(compared, ours.values, theirs.values, toleranceOf) };
}

const peerFor = (chosen: CompareChoices['with'], options: PeerOptions): Peer =>
  'model' in chosen
    ? otherModel(chosen.model, options)
    : concerning(`--with ${chosen.peer}`, () => openPeer(chosen.peer, options));

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
