import type { Outline } from '../../studio/src/graph/outline.js';
import { layoutService } from '../../studio/src/layout/service.js';
import { decoder } from '../../test/studio/layout/graphs.js';

export interface Asked {
  readonly layers: number;
  readonly hasScopes: boolean;
}

/** The first message creates a graph; the next lays it out with all modules expanded, in a worker that has done nothing else. */
let outline: Outline | undefined;

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  if (outline) return postMessage(laidOut(outline));
  outline = decoder(data.layers, data.hasScopes);
  postMessage({ nodes: outline.nodes.count });
});

function laidOut(of: Outline) {
  const service = layoutService();
  const { count } = service.open(of);
  const opened = Array.from({ length: count }, (_, module) => module);
  const { boxes, edges } = service.picture({ opened, direction: 'down', folds: true });
  return { boxes: boxes.count, edges: edges.count };
}
