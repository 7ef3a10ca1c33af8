import { enterGraph, openModel } from '../../store/open-model.js';
import * as workspace from '../../store/workspace.js';
import { type NodeRow, STATUSES, type Status } from '../../workers/contracts/compare.js';
import type { ModelFiles } from '../../workers/contracts/documents.js';
import type { Comparison } from './comparison.js';
import { alone, pair } from './pair.js';

/** The side of a comparison that the graph shows: 0 the first, 1 the second; undefined for another model. */
export function sideInView({ before, after }: Comparison): 0 | 1 | undefined {
  const shown = workspace.files.value;
  return shown === before ? 0 : shown === after ? 1 : undefined;
}

const MARKS: Readonly<Partial<Record<Status, workspace.Mark>>> = {
  changed: 'changed',
  added: 'added',
  removed: 'removed',
};

/** The marks of the nodes that differ on the other side. */
export async function marksOf(
  { service }: Comparison,
  side: 0 | 1,
  path: string,
): Promise<ReadonlyMap<number, workspace.Mark>> {
  const { index, status } = await service.marks(side, path);
  const marks = new Map<number, workspace.Mark>();
  for (const [i, node] of index.entries()) {
    const found = MARKS[STATUSES[status[i] as number] as Status];
    if (found) marks.set(node, found);
  }
  return marks;
}

/** Marks the nodes of the graph in view that differ on the other side. */
export async function mark(comparison: Comparison): Promise<void> {
  const [side, graph] = [sideInView(comparison), workspace.outline.peek()];
  if (side === undefined || !graph) return;
  const marks = await marksOf(comparison, side, graph.path);
  if (workspace.outline.peek()?.path !== graph.path || sideInView(comparison) !== side) return;
  if (marks.size > 0 || workspace.marks.peek().size > 0) workspace.setMarks(marks);
}

/** Opens the other side in place of the graph. */
export async function showSide({ before, after }: Comparison, side: 0 | 1): Promise<void> {
  const files: ModelFiles = side === 0 ? before : after;
  if (workspace.files.value !== files) await openModel(files);
}

/** Selects a row's node: on the side in view if it exists there, otherwise on the other side, beside it or in its place. */
export async function select(comparison: Comparison, row: NodeRow): Promise<void> {
  const inView = sideInView(comparison) === 1 ? 1 : 0;
  const cells = [row.before, row.after] as const;
  const side = cells[inView] ? inView : ((1 - inView) as 0 | 1);
  const id = cells[side]?.id;
  if (id === undefined) return;
  const slash = id.lastIndexOf('/');
  const [path, index] = [id.slice(0, Math.max(slash, 0)), Number(id.slice(slash + 1))];
  if (side !== inView && pair.value === comparison && path === '') {
    await enterGraph(path);
    workspace.setSelection(null);
    alone.value = { path, subject: { kind: 'node', index }, isAway: true };
    return;
  }
  await showSide(comparison, side);
  await enterGraph(path);
  workspace.selectNode(index);
}
