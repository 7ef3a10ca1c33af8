import type { Graph } from '../graph/graph.js';
import { operatorName } from '../graph/walk.js';
import { InferenceSession } from '../session/inference-session.js';
import { openModel } from '../session/open-model.js';
import type { SessionOptions } from '../session/options.js';
import { type HostValue, isTensorValue } from '../tensor/tensor-value.js';
import { capturedNames } from './captured-names.js';
import { compare, type Difference } from './difference.js';
import { type InputChoices, type Inputs, makeInputs, runOn } from './feeds.js';
import { modelSource } from './model-source.js';
import { openPeer, type Peer } from './peers/peer.js';
import { progress } from './progress.js';
import { concerning } from './usage-error.js';
import { timed } from './with-session.js';

export interface CompareChoices {
  /** What to compare with, as the command line says it. */
  readonly with: string;
  readonly capture: readonly string[];
  readonly tolerance: number;
  readonly runs: number;
  readonly session: SessionOptions;
  readonly inputs: InputChoices;
}

export interface Milliseconds {
  readonly create: number;
  readonly first: number;
  readonly median: number;
}

/** One value as both have computed it. */
export interface Finding extends Difference {
  readonly name: string;
  readonly type: string;
  /** The node that computes it. */
  readonly node: string | undefined;
  readonly isCaptured: boolean;
  readonly passed: boolean;
}

export interface Comparison {
  readonly sides: readonly { readonly name: string; readonly milliseconds: Milliseconds }[];
  /** In the order of the nodes that compute them. */
  readonly findings: readonly Finding[];
}

/** Runs a model here and by a peer on the same inputs. */
export async function compareModel(argument: string, choices: CompareChoices): Promise<Comparison> {
  const { session, capture, tolerance } = choices;
  const source = await modelSource(argument);
  const extraOutputs = await concerning(`--capture ${capture}`, () => capturedNames(source, capture));
  const threads = session.intraOpNumThreads ?? 1;
  const peer = await concerning(`--with ${choices.with}`, () =>
    openPeer(choices.with, { threads, folder: process.cwd() }),
  );
  const own: Peer = {
    name: `sardonyx, ${session.graphOptimizationLevel}`,
    create: () => InferenceSession.create(source, { ...session, extraOutputs }),
  };
  const { graph } = await openModel(source, {});
  const inputs = await makeInputs(graph, choices.inputs);
  const [ours, theirs] = [
    await trial(own, source, extraOutputs, inputs, choices.runs),
    await trial(peer, source, extraOutputs, inputs, choices.runs),
  ];
  const findings = [...graph.outputs.map(({ name }) => name), ...extraOutputs]
    .filter((name) => !extraOutputs.includes(name) || name in theirs.values)
    .map((name): Finding => {
      const [actual, expected] = [ours.values[name] ?? null, theirs.values[name] ?? null];
      const difference = compare(actual, expected);
      const passed = difference.mismatch === undefined && difference.relativeL2 <= tolerance;
      const isCaptured = extraOutputs.includes(name);
      return { name, type: typeOf(actual), node: producerOf(graph, name), isCaptured, passed, ...difference };
    });
  const position = new Map(graph.nodes.flatMap((node, i) => node.outputs.map((value) => [value?.name ?? '', i])));
  const at = ({ name }: Finding) => position.get(name) ?? -1;
  return { sides: [ours, theirs], findings: findings.sort((a, b) => at(a) - at(b)) };
}

const typeOf = (value: HostValue): string =>
  isTensorValue(value) ? `${value.type}[${value.dims}]` : value === null ? 'absent' : 'no tensor';

function producerOf({ nodes }: Graph, name: string): string | undefined {
  const node = nodes.find(({ outputs }) => outputs.some((value) => value?.name === name));
  return node && `${operatorName(node)}${node.name ? ` "${node.name}"` : ''}`;
}

interface Trial {
  readonly name: string;
  readonly milliseconds: Milliseconds;
  /** Those of the first run. */
  readonly values: Readonly<Record<string, HostValue>>;
}

async function trial(
  peer: Peer,
  model: string | Uint8Array,
  extraOutputs: readonly string[],
  inputs: Inputs,
  runs: number,
): Promise<Trial> {
  progress(`${peer.name}: loading`);
  const [create, session] = await timed(() => peer.create(model, extraOutputs));
  try {
    progress(`${peer.name}: running`);
    const [first, values] = await timed(() => runOn(session, inputs));
    const times: number[] = [];
    for (let i = 0; i < runs; i++) times.push((await timed(() => session.run(inputs.feeds)))[0]);
    const median = times.sort((a, b) => a - b)[Math.floor(runs / 2)] as number;
    return { name: peer.name, milliseconds: { create, first, median }, values };
  } finally {
    await session.release();
  }
}
