import { real } from '../columns.js';
import type { Proper } from './chains.js';
import { forEnds, type Ordering } from './ordering.js';

/** How many crossings are saved by placing the second of two vertices of a layer left of the first. */
export type CrossingsSaved = (first: number, second: number) => number;

export function crossingsSaved(graph: Proper, ordering: Ordering): CrossingsSaved {
  const most = graph.segments.up.length + graph.posts.lane.length;
  const [ofFirst, ofSecond] = [new Float64Array(most), new Float64Array(most)];
  let length = 0;
  let into: Float64Array = ofFirst;
  const note = (end: number) => {
    into[length++] = Math.floor(end);
  };
  return (first, second) => savedIn(first, second, false) + savedIn(first, second, true);

  function savedIn(first: number, second: number, isBelow: boolean): number {
    const firsts = endsOf(first, isBelow, ofFirst);
    if (firsts === 0) return 0;
    const seconds = endsOf(second, isBelow, ofSecond);
    let saved = 0;
    for (let i = 0; i < firsts; i++)
      for (let k = 0; k < seconds; k++) saved += Math.sign(real(ofFirst, i) - real(ofSecond, k));
    return saved;
  }

  function endsOf(vertex: number, isBelow: boolean, ends: Float64Array): number {
    into = ends;
    length = 0;
    forEnds(graph, ordering, vertex, isBelow, note);
    return length;
  }
}
