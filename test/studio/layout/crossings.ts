/** A line by its corners x, y, and what it carries: lines of one net may lie on each other, and branch. */
export interface DrawnLine {
  readonly net: number;
  readonly corners: ArrayLike<number>;
}

interface Segment {
  readonly line: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

const CELL = 120;

/**
 * How often lines of different nets cross. `pairs` counts each two lines by themselves, `points` what the eye sees: where lines of
 * one net lie on each other, it sees one.
 */
export function crossings(lines: readonly DrawnLine[]): { readonly pairs: number; readonly points: number } {
  const cells = new Map<string, Segment[]>();
  const pairs = new Set<string>();
  const points = new Set<string>();
  lines.forEach((line, i) => {
    for (const segment of segmentsOf(line, i))
      for (const cell of cellsOf(segment)) {
        const others = cells.get(cell) ?? [];
        for (const other of others) {
          const at = lines[other.line]?.net === line.net ? undefined : crossing(segment, other);
          if (!at) continue;
          pairs.add(`${other.line},${i},${at}`);
          const nets = [line.net, lines[other.line]?.net ?? 0].sort((a, b) => a - b);
          points.add(`${nets},${at}`);
        }
        others.push(segment);
        cells.set(cell, others);
      }
  });
  return { pairs: pairs.size, points: points.size };
}

function* segmentsOf({ corners }: DrawnLine, line: number): Generator<Segment> {
  for (let i = 0; i + 3 < corners.length; i += 2) {
    const [x1, y1, x2, y2] = [corners[i], corners[i + 1], corners[i + 2], corners[i + 3]] as [
      number,
      number,
      number,
      number,
    ];
    yield { line, x1, y1, x2, y2 };
  }
}

function* cellsOf({ x1, y1, x2, y2 }: Segment): Generator<string> {
  const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) / CELL));
  const seen = new Set<string>();
  for (let i = 0; i <= 2 * steps; i++) {
    const [x, y] = [x1 + ((x2 - x1) * i) / (2 * steps), y1 + ((y2 - y1) * i) / (2 * steps)];
    for (const dx of [-1, 1])
      for (const dy of [-1, 1])
        seen.add(`${Math.floor((x + dx * CELL * 0.3) / CELL)},${Math.floor((y + dy * CELL * 0.3) / CELL)}`);
  }
  yield* seen;
}

/** The point, to a tenth, where each goes from one side of the other to the other; a corner on the other line counts for one of its ends. */
function crossing(a: Segment, b: Segment): string | undefined {
  const [ax, ay, bx, by] = [a.x2 - a.x1, a.y2 - a.y1, b.x2 - b.x1, b.y2 - b.y1];
  const area = ax * by - ay * bx;
  if (Math.abs(area) < 1e-9) return undefined;
  const s = ((b.x1 - a.x1) * by - (b.y1 - a.y1) * bx) / area;
  const t = ((b.x1 - a.x1) * ay - (b.y1 - a.y1) * ax) / area;
  if (s < 0 || s >= 1 || t < 0 || t >= 1) return undefined;
  return `${(a.x1 + s * ax).toFixed(1)},${(a.y1 + s * ay).toFixed(1)}`;
}
