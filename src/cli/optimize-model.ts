import { SardonyxError } from '../base/errors.js';
import type { Graph, Model } from '../graph/graph.js';
import { allNodes, operatorName } from '../graph/walk.js';
import { writeModel } from '../model/write-model.js';
import { fileGrowth, shareConstants } from '../optimize/file-growth.js';
import { prepare } from '../optimize/prepare.js';
import { foreignTo } from '../optimize/standard-operators.js';
import { openModel } from '../session/open-model.js';
import { sizesOf } from './feeds.js';
import { type Io, STANDARD } from './io.js';
import { modelSource } from './model-source.js';
import type { Assignment } from './option-values.js';
import { formatBytes, plural } from './quantities.js';
import { table } from './table.js';
import { concerning, UsageError } from './usage-error.js';
import { weightBytes, writeModelFile } from './write-model-file.js';

export interface OptimizeOptions {
  readonly output: string;
  readonly level: 'basic' | 'extended';
  readonly dim?: readonly Assignment<number>[] | undefined;
  readonly externalData?: true | undefined;
  readonly json?: true | undefined;
}

interface Size {
  readonly nodes: number;
  readonly weights: number;
}

/** Rewrites a model within its own opsets, writes it, and reports the changes. */
export async function optimizeModel(io: Io, argument: string, options: OptimizeOptions): Promise<void> {
  const { output, level, json } = options;
  const isPiped = output === STANDARD;
  if (isPiped && json)
    throw new UsageError('--output -: standard output cannot carry both the model and JSON (--json)');
  if (isPiped && options.externalData)
    throw new UsageError(
      '--external-data: a model on standard output cannot have a second file; name a file with --output',
    );
  if (isPiped && io.host.stdout.isTTY)
    throw new UsageError('--output -: standard output is a terminal; redirect it to a file or a program');
  io.progress(`optimizing ${argument}`);
  const model = await openModel(await modelSource(io, argument), {});
  const freeDimensionOverrides = Object.fromEntries(sizesOf(model.graph, options.dim ?? []));
  const counts = { before: operatorCounts(model.graph), after: new Map<string, number>() };
  const before = sizeOf(model);
  const { optimized, rewrites } = await optimizedModel(model, level, freeDimensionOverrides);
  counts.after = operatorCounts(optimized.graph);
  const after = sizeOf(optimized);
  if (isPiped) io.host.stdout.write(writeModel(optimized));
  const files = isPiped
    ? []
    : concerning(`--output ${output}`, () => writeModelFile(io, output, optimized, options.externalData));
  const operators = changed(counts.before, counts.after);
  if (json) io.printJson({ before, after, operators, rewrites, files });
  else (isPiped ? io.note : io.print)(described(before, after, operators));
}

/** Rewrites a model in place within its own opsets, and counts the rewrites. */
export async function optimizedModel(
  model: Model,
  level: OptimizeOptions['level'],
  freeDimensionOverrides: Readonly<Record<string, number>> = {},
): Promise<{ optimized: Model; rewrites: number }> {
  const refuses = foreignTo(model.opsets);
  const keeping = (graph: Graph) => fileGrowth(graph).keeps;
  const settings = { graphOptimizationLevel: level, freeDimensionOverrides, refuses, keeping };
  const { graph, rewrites } = await prepare(model, settings);
  shareConstants(graph);
  const used = new Set(['', ...[...allNodes(graph)].map(({ domain }) => domain)]);
  const opsets = new Map([...model.opsets].filter(([domain]) => used.has(domain)));
  const foreign = refuses(allNodes(graph));
  if (foreign)
    throw new SardonyxError('UNSUPPORTED_OPERATOR', `the model cannot be written in its own opsets: ${foreign}`);
  return { optimized: { ...model, graph, opsets, functions: [] }, rewrites: rewrites.applied.length };
}

const sizeOf = (model: Model): Size => ({ nodes: [...allNodes(model.graph)].length, weights: weightBytes(model) });

function operatorCounts(graph: Graph): Map<string, number> {
  const counts = new Map<string, number>();
  for (const node of allNodes(graph)) counts.set(operatorName(node), (counts.get(operatorName(node)) ?? 0) + 1);
  return counts;
}

interface Change {
  readonly operator: string;
  readonly before: number;
  readonly after: number;
}

/** Operators whose number changed, the largest change first. */
function changed(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((operator) => ({ operator, before: before.get(operator) ?? 0, after: after.get(operator) ?? 0 }))
    .filter((change) => change.before !== change.after)
    .sort((a, b) => Math.abs(b.before - b.after) - Math.abs(a.before - a.after));
}

function described(before: Size, after: Size, operators: readonly Change[]): string {
  const rows = operators.map((change) => [change.operator, String(change.before), String(change.after)]);
  const whole = `${plural(before.nodes, 'node')} → ${after.nodes}, weights ${formatBytes(before.weights)} → ${formatBytes(after.weights)}`;
  return [...(rows.length > 0 ? [table(['operator', '>before', '>after'], rows), ''] : []), whole].join('\n');
}
