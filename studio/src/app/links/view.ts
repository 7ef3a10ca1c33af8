/** What a link leads to: the tool that is open, the graph in view, what is open and selected in it. */
export interface View {
  readonly panel: string | null;
  /** The path of the graph. */
  readonly graph: string;
  /** Paths of opened modules; null of those that are open at first. */
  readonly opened: readonly string[] | null;
  readonly selected: Selected | null;
}

/** Nodes by their index, values by name, modules by path. */
export type Selected =
  | { readonly kind: 'node'; readonly index: number }
  | { readonly kind: 'value' | 'module'; readonly name: string };

/** `panel=find&graph=12/body&open=encoder&node=3`: the hash of an address; '' of what is seen at first. */
export function writeView({ panel, graph, opened, selected }: View): string {
  const parts = new URLSearchParams();
  if (panel !== 'model') parts.set('panel', panel ?? '');
  if (graph) parts.set('graph', graph);
  for (const module of opened?.length === 0 ? [''] : (opened ?? [])) parts.append('open', module);
  if (selected) parts.set(selected.kind, selected.kind === 'node' ? `${selected.index}` : selected.name);
  return parts.toString().replaceAll('%2F', '/');
}

export function readView(hash: string): View {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const panel = parts.get('panel');
  return {
    panel: panel === '' ? null : (panel ?? 'model'),
    graph: parts.get('graph') ?? '',
    opened: parts.has('open') ? parts.getAll('open').filter(Boolean) : null,
    selected: selectedIn(parts),
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
