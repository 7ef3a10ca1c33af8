import { oneAhead } from '../../../../src/model/document/left-bytes.js';
import { type Numbers, PIECE, type Pieces } from './pieces.js';

/** Marks pixels that show no element; no tensor contains this number. */
export const GAP = -Number.MAX_VALUE;

/** The numbers of the given elements, one per pixel; -1 means no element. */
export async function sampled(elements: Float64Array, pieces: Pieces): Promise<Float64Array> {
  const values = new Float64Array(elements.length).fill(GAP);
  for await (const parts of oneAhead(batchesOf(spansOf(elements)), (spans) => readAll(spans, pieces)))
    for (const { span, from, numbers } of parts)
      for (let i = span.begin; i < span.end; i++) {
        const element = elements[i] as number;
        if (element >= 0) values[i] = numbers[element - from] as number;
      }
  return values;
}

/** Pixels `begin` to `end`; their elements are close together in one piece, from `first` to `last`. */
interface Span {
  readonly begin: number;
  end: number;
  first: number;
  last: number;
}

/** The number of elements read in the time it takes to start a read: 1 MiB of a file, in Chromium. */
const FAR = 1 << 18;

const isNear = (element: number, { first, last }: Span): boolean =>
  element - last <= FAR && first - element <= FAR && Math.floor(element / PIECE) === Math.floor(first / PIECE);

function spansOf(elements: Float64Array): Span[] {
  const spans: Span[] = [];
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i] as number;
    if (element < 0) continue;
    const span = spans.at(-1);
    if (!span || !isNear(element, span)) spans.push({ begin: i, end: i + 1, first: element, last: element });
    else {
      span.end = i + 1;
      span.first = Math.min(span.first, element);
      span.last = Math.max(span.last, element);
    }
  }
  return spans;
}

/** The maximum number of spans read together; in total they are no longer than a piece. */
const READS = 24;

function batchesOf(spans: readonly Span[]): Span[][] {
  const batches: Span[][] = [];
  let room = 0;
  for (const span of spans) {
    const batch = batches.at(-1);
    const size = span.last - span.first + 1;
    if (batch && batch.length < READS && size <= room) batch.push(span);
    else {
      batches.push([span]);
      room = PIECE;
    }
    room -= size;
  }
  return batches;
}

interface Part {
  readonly span: Span;
  /** The index of the first element in `numbers`. */
  readonly from: number;
  readonly numbers: Numbers;
}

const readAll = (spans: readonly Span[], pieces: Pieces): Promise<Part[]> =>
  Promise.all(spans.map((span) => readOne(span, pieces)));

/** Reads the whole piece if the span covers most of it, since it may already have been read. */
async function readOne(span: Span, { piece, range }: Pieces): Promise<Part> {
  const { first, last } = span;
  if (last - first < PIECE / 2) return { span, from: first, numbers: await range(first, last + 1) };
  const index = Math.floor(first / PIECE);
  return { span, from: index * PIECE, numbers: await piece(index) };
}
