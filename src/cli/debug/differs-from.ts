import { join } from 'node:path';
import type { SessionOptions } from '../../session/options.js';
import { comparedIn, findingsOf } from '../../tools/compare/findings.js';
import type { Predicate } from '../../tools/index.js';
import type { Io } from '../io.js';
import { openPeer } from '../peers/open-peer.js';
import { sardonyxWith } from '../peers/sardonyx.js';

const OURS: SessionOptions = { graphOptimizationLevel: 'all' };

/** Whether the results of a peer differ from those of Sardonyx. */
export function differsFrom(io: Io, name: string, tolerance: number, folder: string): Predicate {
  const peer = openPeer(name, { session: { intraOpNumThreads: 1 }, folder: process.cwd(), io });
  return async (model, feeds = {}) => {
    const { saveModel } = await import('../../tools/on-demand.js');
    const path = join(folder, 'model.onnx');
    await saveModel(model, path);
    const task = { model: path, extraOutputs: [], feeds, runs: 0 };
    const [ours, theirs] = [await sardonyxWith(OURS).run(task), await peer.run(task)];
    const compared = comparedIn([], Object.keys(theirs.values), []);
    const findings = findingsOf(compared, ours.values, theirs.values, () => tolerance);
    return findings.some(({ passed }) => passed === false);
  };
}
