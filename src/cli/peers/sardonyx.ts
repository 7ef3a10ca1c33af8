import type { OptimizationLevel } from '../../optimize/options.js';
import { InferenceSession } from '../../session/inference-session.js';
import { openModel } from '../../session/open-model.js';
import type { SessionOptions } from '../../session/options.js';
import { modelSource } from '../model-source.js';
import { LEVELS } from '../session-options.js';
import { UsageError } from '../usage-error.js';
import type { Peer, PeerOptions } from './peer.js';
import { trialOf } from './trial.js';

const isLevel = (text: string): text is OptimizationLevel => (LEVELS as readonly string[]).includes(text);

/** Sardonyx with these options. */
export const sardonyxWith = (options: SessionOptions): Peer => ({
  name: `sardonyx, ${options.graphOptimizationLevel}`,
  run: ({ model, extraOutputs, feeds, runs }) =>
    trialOf(() => InferenceSession.create(model, { ...options, extraOutputs }), feeds, runs),
});

/** Sardonyx with another optimization level, `disabled` by default. */
export function sardonyxAt(level: string, { session }: PeerOptions): Peer {
  const graphOptimizationLevel = level || 'disabled';
  if (!isLevel(graphOptimizationLevel))
    throw new UsageError(`there is no level "${level}"; the levels are ${LEVELS.join(', ')}`);
  return sardonyxWith({ ...session, graphOptimizationLevel });
}

/** The reference implementation, in double precision. */
export const definitions = (): Peer => ({
  ...sardonyxWith({ graphOptimizationLevel: 'disabled', executionProviders: ['reference'] }),
  name: 'reference',
});

/** Sardonyx with the same options on another model. */
export const otherModel = (path: string, { session, io }: PeerOptions): Peer => ({
  name: path,
  async run({ extraOutputs: wanted, feeds, runs }) {
    const source = await modelSource(io, path);
    const { graph } = await openModel(source, {});
    const names = new Set(graph.nodes.flatMap((node) => node.outputs.map((value) => value?.name)));
    const extraOutputs = wanted.filter((name) => names.has(name));
    return trialOf(() => InferenceSession.create(source, { ...session, extraOutputs }), feeds, runs);
  },
});
