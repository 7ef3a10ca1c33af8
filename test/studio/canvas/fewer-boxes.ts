import type { Drawn } from '../../../studio/src/canvas/scene/scene.js';
import { type Boxes, BoxKind, type Edges } from '../../../studio/src/graph/picture.js';

/** With a module closed: its frame becomes a box of 104 by 44, what lay in it is gone, edges end at it. */
export function withClosed(drawn: Drawn, module: number): Drawn {
  const { boxes, edges, ...size } = drawn.picture;
  const frame = boxes.subject.findIndex((subject, box) => boxes.kind[box] === BoxKind.openModule && subject === module);
  const left = Array.from({ length: boxes.count }, (_, box) => box).filter((box) => boxes.parent[box] !== frame);
  const placed = new Map(left.map((box, place) => [box, place]));
  const of = (end: number) => placed.get(end) ?? (placed.get(frame) as number);
  const kept = Array.from({ length: edges.count }, (_, edge) => edge).filter(
    (edge) => of(edges.from[edge] as number) !== of(edges.to[edge] as number),
  );
  const picture = { ...size, boxes: chosenBoxes(boxes, left, placed), edges: chosenEdges(edges, kept, of) };
  const closed = placed.get(frame) as number;
  picture.boxes.kind[closed] = BoxKind.module;
  picture.boxes.width[closed] = 104;
  picture.boxes.height[closed] = 44;
  return { ...drawn, picture };
}

function chosenBoxes(boxes: Boxes, left: readonly number[], placed: ReadonlyMap<number, number>): Boxes {
  const floats = (column: Float32Array) => Float32Array.from(left, (box) => column[box] as number);
  return {
    count: left.length,
    x: floats(boxes.x),
    y: floats(boxes.y),
    width: floats(boxes.width),
    height: floats(boxes.height),
    kind: Uint8Array.from(left, (box) => boxes.kind[box] as number),
    subject: Int32Array.from(left, (box) => boxes.subject[box] as number),
    parent: Int32Array.from(left, (box) => placed.get(boxes.parent[box] as number) ?? -1),
  };
}

function chosenEdges(edges: Edges, kept: readonly number[], of: (end: number) => number): Edges {
  const corners = kept.map((edge) => [
    ...edges.corners.subarray(2 * (edges.start[edge] as number), 2 * (edges.start[edge + 1] as number)),
  ]);
  const start = new Int32Array(kept.length + 1);
  corners.forEach((list, i) => {
    start[i + 1] = (start[i] as number) + list.length / 2;
  });
  return {
    count: kept.length,
    from: Int32Array.from(kept, (edge) => of(edges.from[edge] as number)),
    to: Int32Array.from(kept, (edge) => of(edges.to[edge] as number)),
    value: Int32Array.from(kept, (edge) => edges.value[edge] as number),
    shared: Int32Array.from(kept, (edge) => edges.shared[edge] as number),
    start,
    corners: Float32Array.from(corners.flat()),
  };
}

export function withoutBoxes(drawn: Drawn): Drawn {
  const { boxes, edges } = drawn.picture;
  const none = new Map<number, number>();
  const picture = { width: 0, height: 0, boxes: chosenBoxes(boxes, [], none), edges: chosenEdges(edges, [], () => -1) };
  return { ...drawn, picture };
}
