import type { HostValue } from 'sardonyx';
import { InferenceSession } from 'sardonyx';
import { type Bisection, bisectRewrites, loadModel } from 'sardonyx/model';
import type { ModelFiles } from '../contracts/documents.js';
import type { RewriteChange, Rewrites, SaidNode } from '../contracts/runs.js';
import type { Settings } from '../contracts/settings.js';

const optionsOf = ({ beside }: ModelFiles, { level }: Settings) => ({
  externalData: beside,
  graphOptimizationLevel: level,
  intraOpNumThreads: 1,
});

/** The rewrites that the optimizer applies to a model, and those it refuses and why. */
export async function rewritesOf(files: ModelFiles, settings: Settings): Promise<Rewrites> {
  const options = { ...optionsOf(files, settings), explainRewrites: true };
  const plain = await nodesAfter(files, settings, 0);
  const session = await InferenceSession.create(files.model, options);
  try {
    const { applied, refused = [] } = session.rewrites;
    return {
      applied: applied.map(({ rule, node }) => ({ rule, node })),
      refused: refused.map(({ rule, node, reason }) => ({ rule, node, reason })),
      nodes: [plain.length, session.model.graph.nodes.length],
    };
  } finally {
    await session.release();
  }
}

/** The nodes that differ between the graphs before and after a rewrite. */
export async function rewriteAt(files: ModelFiles, settings: Settings, index: number): Promise<RewriteChange> {
  const [before, after] = [await nodesAfter(files, settings, index), await nodesAfter(files, settings, index + 1)];
  return { before: without(before, after), after: without(after, before) };
}

async function nodesAfter(files: ModelFiles, settings: Settings, maxRewrites: number): Promise<SaidNode[]> {
  const session = await InferenceSession.create(files.model, { ...optionsOf(files, settings), maxRewrites });
  try {
    return session.model.graph.nodes.map(({ op, domain, name, inputs, outputs }) => ({
      operator: domain ? `${domain}.${op}` : op,
      name,
      inputs: inputs.map((value) => value?.name ?? ''),
      outputs: outputs.map((value) => value?.name ?? ''),
    }));
  } finally {
    await session.release();
  }
}

function without(nodes: readonly SaidNode[], others: readonly SaidNode[]): SaidNode[] {
  const known = new Set(others.map((node) => JSON.stringify(node)));
  return nodes.filter((node) => !known.has(JSON.stringify(node)));
}

interface Search {
  readonly tolerance: number;
  readonly signal: AbortSignal;
  readonly onProgress?: ((part: number) => void) | undefined;
}

/** The rewrite that makes results differ from the unoptimized model's by more than the tolerance. */
export async function guiltyRewrite(
  files: ModelFiles,
  settings: Settings,
  feeds: Record<string, HostValue>,
  { tolerance, signal, onProgress }: Search,
): Promise<Bisection> {
  const model = await loadModel(files.model, { externalData: files.beside });
  return bisectRewrites(model, feeds, {
    tolerance,
    signal,
    session: { graphOptimizationLevel: settings.level, intraOpNumThreads: settings.threads },
    onProgress: ({ runs }) => onProgress?.(1 - 0.75 ** runs),
  });
}
