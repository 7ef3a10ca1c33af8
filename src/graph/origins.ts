import { subgraphsOf } from './captures.js';
import type { Node } from './graph.js';
import type { Origin, Origins, Place } from './origin.js';

export const modelPlace = (): Place => ({ holder: null, attribute: '' });

/** The path of a node: `12`; `12/body/3` in a subgraph; `12/3` in the body of a function that it calls. */
export function idOf({ index, place: { holder, attribute } }: Origin): string {
  if (!holder) return `${index}`;
  return `${idOf(holder)}/${attribute && `${attribute}/`}${index}`;
}

const known = new WeakMap<Origins, readonly string[]>();

const inOrder = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** The paths of the model's nodes that a node comes from, in order; the same array for the same origins. */
export function idsOf({ origins }: Pick<Node, 'origins'>): readonly string[] {
  if (!origins) return [];
  const ids = known.get(origins) ?? origins.map(idOf).sort(inOrder);
  known.set(origins, ids);
  return ids;
}

/** The union of origins; reuses an array that has all of them. Undefined if no node has any. */
export function joined(nodes: readonly Pick<Node, 'origins'>[]): Origins | undefined {
  const given = nodes.flatMap(({ origins }) => (origins ? [origins] : []));
  const found = new Set(given.flat());
  return given[0]?.length === found.size ? given[0] : given.length > 0 ? [...found] : undefined;
}

/** Sets the origins of nodes, and of those in their subgraphs, that have none. */
export function mark(nodes: readonly Node[], origins: Origins | undefined): void {
  for (const node of nodes) {
    node.origins ??= origins;
    for (const { nodes: inner } of subgraphsOf(node)) mark(inner, node.origins);
  }
}

/** Returns a function that moves origins in a function's `body` to the call; other origins stay. */
export function calledBy(call: Node, body: Place | undefined): (origins: Origins) => Origins {
  const [caller] = call.origins ?? [];
  if (!caller || !body) return (origins) => origins;
  const places = new Map<Place, Place>([[body, { holder: caller, attribute: '' }]]);
  const placed = (place: Place): Place => {
    const { holder, attribute } = place;
    const found = places.get(place) ?? (holder ? { holder: moved(holder), attribute } : place);
    places.set(place, found);
    return found;
  };
  const moved = (origin: Origin): Origin => {
    const place = placed(origin.place);
    return origin.index < 0 ? caller : place === origin.place ? origin : { index: origin.index, place };
  };
  return (origins) => origins.map(moved);
}
