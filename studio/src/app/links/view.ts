import type { Shown } from '../../graph/shown.js';

/** The view in a link: the open tool, the graph, its opened modules and selection. */
export interface View {
  readonly panel: string | null;
  /** The path of the graph. */
  readonly graph: string;
  /** Paths of opened modules; null for those open initially. */
  readonly opened: readonly string[] | null;
  readonly selected: Selected | null;
  /** How the graph is drawn, and the position of the camera; only in copied links. */
  readonly drawing?: Drawing | undefined;
  /** The local file; only in copied links. */
  readonly file?: LinkedFile | undefined;
}

/** Nodes by index, values by name, modules by path. */
export type Selected =
  | { readonly kind: 'node'; readonly index: number }
  | { readonly kind: 'value' | 'module'; readonly name: string };

export interface Drawing {
  readonly direction: 'down' | 'right';
  /** Whether constants, identities and shape arithmetic are hidden. */
  readonly folds: boolean;
  readonly shown: Shown;
  /** A point of the drawing, and the number of screen pixels per drawing pixel. */
  readonly camera: { readonly x: number; readonly y: number; readonly scale: number };
}

export interface LinkedFile {
  /** SHA-256 of the model's file, in hexadecimal digits. */
  readonly hash: string;
  readonly name: string;
}

const SHOWN = ['names', 'attributes', 'weights'] as const;

/** `panel=find&graph=12/body&open=encoder&node=3`: the hash of an address; '' for the initial view. */
export function writeView({ panel, graph, opened, selected, ...view }: View): string {
  const parts = new URLSearchParams();
  if (view.file) {
    parts.set('file', view.file.name);
    parts.set('sha256', view.file.hash);
  }
  if (panel !== 'model') parts.set('panel', panel ?? '');
  if (graph) parts.set('graph', graph);
  for (const module of opened?.length === 0 ? [''] : (opened ?? [])) parts.append('open', module);
  if (selected) parts.set(selected.kind, selected.kind === 'node' ? `${selected.index}` : selected.name);
  if (view.drawing) writeDrawing(view.drawing, parts);
  return parts.toString().replaceAll('%2F', '/');
}

function writeDrawing({ direction, folds, shown, camera: { x, y, scale } }: Drawing, parts: URLSearchParams): void {
  if (direction === 'right') parts.set('direction', direction);
  if (!folds) parts.set('constants', 'shown');
  const content = SHOWN.filter((each) => shown[each]);
  if (content.length > 0) parts.set('shown', content.join(' '));
  parts.set('camera', [x.toFixed(1), y.toFixed(1), scale.toPrecision(4)].map(Number).join(' '));
}

export function readView(hash: string): View {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const panel = parts.get('panel');
  const [drawing, file] = [drawingIn(parts), fileIn(parts)];
  return {
    panel: panel === '' ? null : (panel ?? 'model'),
    graph: parts.get('graph') ?? '',
    opened: parts.has('open') ? parts.getAll('open').filter(Boolean) : null,
    selected: selectedIn(parts),
    ...(drawing && { drawing }),
    ...(file && { file }),
  };
}

function selectedIn(parts: URLSearchParams): Selected | null {
  const node = Number(parts.get('node') ?? Number.NaN);
  if (Number.isSafeInteger(node) && node >= 0) return { kind: 'node', index: node };
  for (const kind of ['value', 'module'] as const) {
    const name = parts.get(kind);
    if (name !== null) return { kind, name };
  }
  return null;
}

function drawingIn(parts: URLSearchParams): Drawing | undefined {
  const [x = Number.NaN, y = Number.NaN, scale = Number.NaN] = (parts.get('camera') ?? '').split(' ').map(Number);
  if (!Number.isFinite(x + y) || !(scale > 0)) return undefined;
  const content = parts.get('shown')?.split(' ') ?? [];
  return {
    direction: parts.get('direction') === 'right' ? 'right' : 'down',
    folds: parts.get('constants') !== 'shown',
    shown: Object.fromEntries(SHOWN.map((each) => [each, content.includes(each)])) as unknown as Shown,
    camera: { x, y, scale },
  };
}

function fileIn(parts: URLSearchParams): LinkedFile | undefined {
  const [name, hash] = [parts.get('file') ?? '', parts.get('sha256') ?? ''];
  return /^[0-9a-f]{64}$/.test(hash) ? { name, hash } : undefined;
}
