import { InferenceSession } from '../../session/inference-session.js';
import { openModel } from '../../session/open-model.js';
import type { OptimizationLevel, SessionOptions } from '../../session/options.js';
import { modelSource } from '../model-source.js';
import { LEVELS } from '../session-options.js';
import { UsageError } from '../usage-error.js';
import type { Peer, PeerOptions } from './peer.js';

const isLevel = (text: string): text is OptimizationLevel => (LEVELS as readonly string[]).includes(text);

/** Sardonyx with another optimization level, `disabled` if none is said. */
export function sardonyxAt(level: string, { threads }: PeerOptions): Peer {
  const graphOptimizationLevel = level || 'disabled';
  if (!isLevel(graphOptimizationLevel)) throw new UsageError(`"${level}" is none of the levels ${LEVELS.join(', ')}`);
  const options: SessionOptions = { graphOptimizationLevel, intraOpNumThreads: threads };
  return {
    name: `sardonyx, ${graphOptimizationLevel}`,
    create: (model, extraOutputs) => InferenceSession.create(model, { ...options, extraOutputs }),
  };
}

/** Sardonyx on another file, say an optimized one. */
export const otherModel = (path: string, { threads }: PeerOptions): Peer => ({
  name: path,
  async create(_model, wanted) {
    const source = await modelSource(path);
    const { graph } = await openModel(source, {});
    const names = new Set(graph.nodes.flatMap((node) => node.outputs.map((value) => value?.name)));
    const extraOutputs = wanted.filter((name) => names.has(name));
    return InferenceSession.create(source, { intraOpNumThreads: threads, extraOutputs });
  },
});
