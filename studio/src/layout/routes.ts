import { at, real } from './columns.js';
import type { Scene } from './scenes.js';
import type { Strands } from './strands.js';
import { type Bend, tracksOf } from './tracks.js';

interface Crook extends Bend {
  readonly strand: number;
  readonly gap: number;
  track: number;
}

/** The corners of each strand of a level, across and along. Strands bend only in the gaps between layers. */
export function routesOf(scene: Scene, strands: Strands): number[][] {
  const crooks: Crook[] = [];
  for (let strand = 0; strand < strands.count; strand++) addCrooks(scene, strands, strand, crooks);
  setTracks(scene, crooks);
  const routes = Array.from({ length: strands.count }, (_, i) => [
    real(strands.startX, i),
    bottomOf(scene, strands, i),
  ]);
  for (const { strand, from, to, track } of crooks) routes[strand]?.push(from, track, to, track);
  routes.forEach((route, i) => {
    route.push(real(strands.endX, i), real(scene.y, at(scene.graph.pairs.to, at(strands.pair, i))));
  });
  return routes;
}

function bottomOf({ graph, y, sizes }: Scene, { pair }: Strands, strand: number): number {
  const item = at(graph.pairs.from, at(pair, strand));
  return real(y, item) + real(sizes.along, item);
}

function addCrooks({ proper, graph, x, laneX }: Scene, strands: Strands, strand: number, crooks: Crook[]): void {
  const pair = at(strands.pair, strand);
  const source = at(graph.pairs.from, pair);
  const net = source * 2 ** 26 + at(strands.value, strand);
  const lane = at(proper.laneOf, pair);
  let gap = at(proper.layer, source) + 1;
  let from = real(strands.startX, strand);
  const turnTo = (to: number) => {
    if (Math.abs(to - from) >= STRAIGHT) crooks.push({ strand, gap, net, from, to, track: 0 });
    from = to;
    gap++;
  };
  if (lane >= 0) {
    turnTo(real(laneX, lane));
    gap = at(proper.layer, at(graph.pairs.to, pair));
  }
  for (let i = at(proper.chainStart, pair); i < at(proper.chainStart, pair + 1); i++)
    turnTo(real(x, at(proper.chain, i)));
  turnTo(real(strands.endX, strand));
}

/** Smaller steps across are ignored. */
const STRAIGHT = 0.5;

function setTracks({ gapTop, gapBottom }: Scene, crooks: readonly Crook[]): void {
  const byGap = new Map<number, Crook[]>();
  for (const crook of crooks) {
    const list = byGap.get(crook.gap);
    if (list) list.push(crook);
    else byGap.set(crook.gap, [crook]);
  }
  for (const [gap, list] of byGap) {
    const { track, count } = tracksOf(list);
    const [top, bottom] = [real(gapTop, gap), real(gapBottom, gap)];
    list.forEach((crook, i) => {
      crook.track = top + ((real(track, i) + 1) * (bottom - top)) / (count + 1);
    });
  }
}
