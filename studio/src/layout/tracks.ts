/** A line across a gap between layers, from one place to another. */
export interface Bend {
  /** Bends of one net with the same start share a track. */
  readonly net: number;
  readonly from: number;
  readonly to: number;
}

/** Places closer than this, in pixels, are the same. */
const SAME = 1;

/**
 * The track of each bend, from the top. Lines to the right get tracks from the rightmost on down, lines to the left from the leftmost,
 * so those of one direction cross only where they must. Those of different directions cross once or never in either order.
 */
export function tracksOf(bends: readonly Bend[]): { readonly track: Float64Array; readonly count: number } {
  const track = new Float64Array(bends.length);
  const right: number[] = [];
  const left: number[] = [];
  bends.forEach(({ from, to }, i) => {
    (to > from ? right : left).push(i);
  });
  const [first, second] = leftGoesFirst(bends, right, left) ? [left, right] : [right, left];
  const above = assign(bends, first, 0, track);
  return { track, count: assign(bends, second, above, track) };
}

/** A line that ends where another starts must not be above it, or they would overlap. */
function leftGoesFirst(bends: readonly Bend[], right: readonly number[], left: readonly number[]): boolean {
  const meetings = (enders: readonly number[], starters: readonly number[]) => {
    const starts = new Set(starters.map((i) => Math.round(bends[i]?.from ?? 0)));
    return enders.filter((i) => starts.has(Math.round(bends[i]?.to ?? 0))).length;
  };
  return meetings(right, left) > meetings(left, right);
}

/** Assigns tracks from `least` on, and returns the next free one. */
function assign(bends: readonly Bend[], group: readonly number[], least: number, track: Float64Array): number {
  const sign = group.length > 0 && isRightward(bends[group[0] ?? 0]) ? 1 : -1;
  const of = (i: number) => bends[i] as Bend;
  const order = [...group].sort(
    (a, b) => sign * (of(b).from - of(a).from) || of(a).net - of(b).net || sign * (of(b).to - of(a).to) || a - b,
  );
  let next = least;
  const open: { from: number; track: number }[] = [];
  let last = -1;
  for (const i of order) {
    const { net, from, to } = of(i);
    if (last >= 0 && of(last).net === net && Math.abs(of(last).from - from) < SAME) {
      track[i] = track[last] ?? least;
      continue;
    }
    let taken = least;
    for (const other of open) if (sign * (to - other.from) > -SAME) taken = Math.max(taken, other.track + 1);
    const kept = open.filter((other) => other.track >= taken);
    open.length = 0;
    open.push(...kept, { from, track: taken });
    track[i] = taken;
    next = Math.max(next, taken + 1);
    last = i;
  }
  return next;
}

const isRightward = (bend: Bend | undefined): boolean => bend !== undefined && bend.to > bend.from;
