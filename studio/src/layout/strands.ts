import { at } from './columns.js';
import type { PlacedLevel } from './level-layout.js';

/** A line of one level: where it leaves an item, and where it comes to another. */
export interface Strand {
  readonly pair: number;
  readonly net: number;
  readonly startX: number;
  readonly startY: number;
  readonly endX: number;
  readonly endY: number;
}

/** In a gap: from one place across to another. */
interface Bend {
  readonly strand: number;
  readonly gap: number;
  readonly net: number;
  readonly from: number;
  readonly to: number;
  y: number;
}

/** Corners x, y of each strand. Lines bend in the gaps between layers alone, each net there on a track of its own. */
export function strandCorners(level: PlacedLevel, strands: readonly Strand[]): number[][] {
  const bends = strands.flatMap((strand, i) => bendsOf(level, strand, i));
  const byGap = new Map<number, Bend[]>();
  for (const bend of bends) {
    const list = byGap.get(bend.gap);
    if (list) list.push(bend);
    else byGap.set(bend.gap, [bend]);
  }
  for (const [gap, list] of byGap) setTracks(list, at(level.gapTop, gap), at(level.gapBottom, gap));
  const corners = strands.map(({ startX, startY }) => [startX, startY]);
  for (const { strand, from, to, y } of bends) corners[strand]?.push(from, y, to, y);
  strands.forEach(({ endX, endY }, i) => {
    corners[i]?.push(endX, endY);
  });
  return corners;
}

function bendsOf({ proper, graph, x, laneX }: PlacedLevel, strand: Strand, index: number): Bend[] {
  const { pair, net, startX, endX } = strand;
  const from = at(proper.layer, at(graph.from, pair));
  const to = at(proper.layer, at(graph.to, pair));
  const lane = at(proper.laneOf, pair);
  const stops: [gap: number, x: number][] = [];
  if (lane >= 0) stops.push([from + 1, at(laneX, lane)], [to, endX]);
  else {
    let gap = from + 1;
    for (let i = at(proper.chainStart, pair); i < at(proper.chainStart, pair + 1); i++)
      stops.push([gap++, at(x, at(proper.chain, i))]);
    stops.push([gap, endX]);
  }
  let before = startX;
  return stops.flatMap(([gap, next]) => {
    const bend = { strand: index, gap, net, from: before, to: next, y: 0 };
    before = next;
    return Math.abs(bend.from - next) < 0.5 ? [] : [bend];
  });
}

/** Lines to the right take tracks from the rightmost one on downwards, lines to the left from the leftmost: so none of them crosses its like without need. */
function setTracks(bends: readonly Bend[], top: number, bottom: number): void {
  const right = tracksOf(
    bends.filter(({ from, to }) => to > from),
    1,
  );
  const left = tracksOf(
    bends.filter(({ from, to }) => to < from),
    -1,
  );
  const tracks = right.count + left.count;
  const step = (bottom - top) / (tracks + 1);
  for (const [bend, track] of right.of) bend.y = top + (track + 1) * step;
  for (const [bend, track] of left.of) bend.y = top + (right.count + track + 1) * step;
}

function tracksOf(
  bends: readonly Bend[],
  direction: 1 | -1,
): { readonly of: Map<Bend, number>; readonly count: number } {
  const of = new Map<Bend, number>();
  const sorted = [...bends].sort(
    (a, b) => direction * (b.from - a.from) || a.net - b.net || direction * (b.to - a.to) || a.strand - b.strand,
  );
  const ends: { reach: number; track: number }[] = [];
  let count = 0;
  let last: Bend | undefined;
  for (const bend of sorted) {
    const isShared = last !== undefined && last.net === bend.net && last.from === bend.from;
    let track = isShared ? (of.get(last as Bend) ?? 0) : 0;
    if (!isShared) {
      for (const { reach, track: taken } of ends)
        if (direction * (bend.to - reach) >= -1) track = Math.max(track, taken + 1);
      ends.push({ reach: bend.from, track });
      if (ends.length > 64) ends.shift();
      last = bend;
    }
    of.set(bend, track);
    count = Math.max(count, track + 1);
  }
  return { of, count };
}
