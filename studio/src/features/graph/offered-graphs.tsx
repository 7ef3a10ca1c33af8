import { signal } from '@preact/signals';
import { NodeFlag } from '../../graph/outline.js';
import { enterGraph } from '../../store/open-model.js';
import { documents } from '../../store/workers/documents.js';
import { model, outline } from '../../store/workspace.js';

interface Offered {
  /** The path of the graph that contains the node. */
  readonly within: string;
  readonly graphs: readonly { readonly path: string; readonly title: string }[];
  /** Position in the pane. */
  readonly x: number;
  readonly y: number;
}

/** The graphs of a double-clicked node that has several. */
export const offered = signal<Offered | null>(null);

export const hasGraphs = (node: number): boolean =>
  ((outline.value?.nodes.flags[node] ?? 0) & (NodeFlag.hasSubgraphs | NodeFlag.isFunctionCall)) !== 0;

/** Enters the graph of a node if there is only one, or else offers them all. */
export async function enterOrOffer(node: number, x: number, y: number): Promise<void> {
  const [document, graph] = [model.value, outline.value];
  if (!document || !graph) return;
  const { attributes, calls } = await documents.node(document.id, graph.path, node);
  const graphs = [
    ...(calls === undefined ? [] : [{ path: calls, title: 'Function' }]),
    ...attributes.flatMap((each) => each.graphs ?? []),
  ];
  const [first, ...others] = graphs;
  if (others.length > 0) offered.value = { within: graph.path, graphs, x, y };
  else if (first) await enterGraph(first.path);
}

export function OfferedGraphs() {
  const now = offered.value;
  if (!now || now.within !== outline.value?.path) return null;
  const close = () => {
    offered.value = null;
  };
  return (
    <div
      class="offered"
      role="menu"
      aria-label="Open a subgraph"
      style={{ left: `${now.x}px`, top: `${now.y}px` }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      {now.graphs.map(({ path, title }, i) => (
        <button
          key={path}
          type="button"
          class="button plain"
          role="menuitem"
          ref={i === 0 ? (element) => element?.focus() : undefined}
          onClick={() => {
            close();
            void enterGraph(path);
          }}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
