import type { Graph } from '../graph/graph.js';
import { operatorName } from '../graph/walk.js';
import { openModel } from '../session/open-model.js';
import type { SessionOptions } from '../session/options.js';
import { type HostValue, isTensorValue } from '../tensor/tensor-value.js';
import { compare, type Difference } from '../tools/difference.js';
import { capturedNames } from './captured-names.js';
import { type InputChoices, makeInputs, runOn } from './feeds.js';
import { modelSource } from './model-source.js';
import { openPeer } from './peers/open-peer.js';
import type { Peer, Task, Trial } from './peers/peer.js';
import { sardonyxWith } from './peers/sardonyx.js';
import { progress } from './progress.js';
import { concerning } from './usage-error.js';

export interface CompareChoices {
  /** What to compare with, as the command line says it. */
  readonly with: string;
  readonly capture: readonly string[];
  readonly tolerance: number;
  readonly runs: number;
  readonly session: SessionOptions;
  readonly inputs: InputChoices;
}

/** One value as both have computed it. */
export interface Finding extends Difference {
  readonly name: string;
  readonly type: string;
  /** The node that computes it. */
  readonly node: string | undefined;
  readonly isCaptured: boolean;
  /** Null where the other does not give it. */
  readonly passed: boolean | null;
}

export interface Comparison {
  readonly sides: readonly Side[];
  /** In the order of the nodes that compute them. */
  readonly findings: readonly Finding[];
}

/** Runs a model here and by a peer on the same inputs. */
export async function compareModel(argument: string, choices: CompareChoices): Promise<Comparison> {
  const { session, capture, tolerance } = choices;
  const source = await modelSource(argument);
  const extraOutputs = await concerning(`--capture ${capture}`, () => capturedNames(source, capture));
  const threads = session.intraOpNumThreads ?? 1;
  const peer = concerning(`--with ${choices.with}`, () => openPeer(choices.with, { threads, folder: process.cwd() }));
  const { graph } = await openModel(source, {});
  const inputs = await makeInputs(graph, choices.inputs);
  const task: Task = { model: source, extraOutputs, feeds: inputs.feeds, runs: choices.runs };
  const ours = await runOn(runner(sardonyxWith(session), task), inputs);
  const theirs = await runOn(runner(peer, task), inputs);
  const findings = [...graph.outputs.map(({ name }) => name), ...extraOutputs].map((name): Finding => {
    const value = ours.values[name] ?? null;
    const common = {
      name,
      type: typeOf(value),
      node: producerOf(graph, name),
      isCaptured: extraOutputs.includes(name),
    };
    if (!(name in theirs.values)) return { ...common, passed: null, ...UNKNOWN };
    const difference = compare(value, theirs.values[name] ?? null);
    const passed = difference.mismatch === undefined && difference.relativeL2 <= tolerance;
    return { ...common, passed, ...difference };
  });
  const position = new Map(graph.nodes.flatMap((node, i) => node.outputs.map((value) => [value?.name ?? '', i])));
  const at = ({ name }: Finding) => position.get(name) ?? -1;
  return { sides: [ours, theirs], findings: findings.sort((a, b) => at(a) - at(b)) };
}

const UNKNOWN: Difference = {
  relativeL2: Number.NaN,
  maxAbs: Number.NaN,
  outside: 0,
  mismatch: 'not given by the other',
};

interface Side extends Trial {
  readonly name: string;
}

const runner = (peer: Peer, task: Task) => ({
  async run(): Promise<Side> {
    progress(`running ${peer.name}`);
    return { name: peer.name, ...(await peer.run(task)) };
  },
});

const typeOf = (value: HostValue): string =>
  isTensorValue(value) ? `${value.type}[${value.dims}]` : value === null ? 'absent' : 'no tensor';

function producerOf({ nodes }: Graph, name: string): string | undefined {
  const node = nodes.find(({ outputs }) => outputs.some((value) => value?.name === name));
  return node && `${operatorName(node)}${node.name ? ` "${node.name}"` : ''}`;
}
