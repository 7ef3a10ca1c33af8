import { BoxKind } from '../../graph/picture.js';
import { row } from './links.js';
import type { Scene } from './scene.js';
import type { Target } from './target.js';

/** The items that stay bright around a selection: incoming and outgoing edges and the boxes at their ends. */
export interface Neighbourhood {
  readonly boxes: readonly number[];
  readonly upstream: readonly number[];
  readonly downstream: readonly number[];
}

export function neighbourhood(scene: Scene, target: Target): Neighbourhood {
  const box = scene.boxOf(target);
  if (box >= 0 && scene.picture.boxes.kind[box] === BoxKind.openModule) return ofFrame(scene, box);
  if (box >= 0) return withEnds(scene, [box], [...row(scene.incoming, box)], [...row(scene.outgoing, box)]);
  return target.kind === 'value' ? withEnds(scene, [], [], edgesOf(scene, target.index)) : NOTHING;
}

const NOTHING: Neighbourhood = { boxes: [], upstream: [], downstream: [] };

const edgesOf = ({ picture: { edges } }: Scene, value: number): number[] => {
  const found: number[] = [];
  for (let i = 0; i < edges.count; i++) if (edges.value[i] === value) found.push(i);
  return found;
};

function withEnds(scene: Scene, own: number[], upstream: number[], downstream: number[]): Neighbourhood {
  const { from, to } = scene.picture.edges;
  const boxes = new Set(own);
  for (const edge of [...upstream, ...downstream]) {
    boxes.add(from[edge] as number);
    boxes.add(to[edge] as number);
  }
  boxes.delete(-1);
  return { boxes: [...boxes], upstream, downstream };
}

/** The edges that enter and leave an open module, and everything inside it. */
function ofFrame(scene: Scene, frame: number): Neighbourhood {
  const { boxes, edges } = scene.picture;
  const inside = new Uint8Array(boxes.count);
  inside[frame] = 1;
  for (let i = frame + 1; i < boxes.count; i++) if (inside[boxes.parent[i] as number]) inside[i] = 1;
  const upstream: number[] = [];
  const downstream: number[] = [];
  for (let i = 0; i < edges.count; i++) {
    const [from, to] = [inside[edges.from[i] as number], inside[edges.to[i] as number]];
    if (to && !from) upstream.push(i);
    if (from && !to) downstream.push(i);
  }
  return withEnds(scene, [frame], upstream, downstream);
}
