import type { HostValue } from 'sardonyx';
import { toNumbers } from 'sardonyx/tensors';
import type { Detections } from '../contracts/runs.js';
import { isTensor } from './describe.js';

type Values = Readonly<Record<string, HostValue>>;
type TensorValue = Extract<HostValue, { readonly dims: readonly number[] }>;

interface Column {
  readonly name: string;
  readonly value: TensorValue;
  /** Its dims without leading ones. */
  readonly dims: readonly number[];
}

/** Detections from boxes [N, 4], scores [N] and optional labels [N], or from rows [N, 6] of all three; leading ones are allowed. */
export function detectionsOf(outputs: Values, names?: readonly string[]): Detections | undefined {
  const columns = Object.entries(outputs).flatMap(([name, value]): Column[] =>
    isTensor(value) ? [{ name, value, dims: withoutBatch(value.dims) }] : [],
  );
  return separate(columns, names) ?? together(columns, names);
}

const withoutBatch = (dims: readonly number[]): readonly number[] =>
  dims[0] === 1 && dims.length > 1 ? withoutBatch(dims.slice(1)) : dims;

const isFloat = ({ value }: Column) => value.type.startsWith('float');

function separate(columns: readonly Column[], names: readonly string[] | undefined): Detections | undefined {
  const boxes = columns.find(
    (column) => isFloat(column) && column.value.dims.at(-1) === 4 && column.value.dims.length > 1,
  );
  const count = boxes && boxes.value.data.length / 4;
  const beside = columns.filter((column) => column !== boxes && column.value.data.length === count);
  const scores = beside.find(isFloat);
  const labels = beside.find(({ value }) => /int/.test(value.type));
  if (!boxes || !scores || !(labels || /score|conf|prob/i.test(scores.name))) return undefined;
  const classes = labels ? toNumbers(labels.value) : new Float32Array(count ?? 0);
  return sorted(toNumbers(boxes.value), toNumbers(scores.value), classes, names);
}

/** Rows of left, top, right, bottom, score, class. */
function together(columns: readonly Column[], names: readonly string[] | undefined): Detections | undefined {
  const [only, ...others] = columns;
  if (!only || others.length > 0 || !isFloat(only) || only.dims.length !== 2 || only.dims[1] !== 6) return undefined;
  const numbers = toNumbers(only.value);
  const count = only.dims[0] as number;
  const column = (at: number) => Float32Array.from({ length: count }, (_, i) => numbers[6 * i + at] as number);
  const boxes = Float32Array.from({ length: 4 * count }, (_, i) => numbers[6 * (i >> 2) + (i & 3)] as number);
  return sorted(boxes, column(4), column(5), names);
}

function sorted(
  boxes: ArrayLike<number>,
  scores: ArrayLike<number>,
  classes: ArrayLike<number>,
  names: readonly string[] | undefined,
): Detections {
  const order = Array.from(scores, (_, i) => i).sort((a, b) => (scores[b] as number) - (scores[a] as number));
  const ordered = Float32Array.from(
    { length: 4 * order.length },
    (_, i) => boxes[4 * (order[i >> 2] as number) + (i & 3)] as number,
  );
  return {
    boxes: ordered,
    scores: Float32Array.from(order, (i) => scores[i] as number),
    labels: order.map((i) => names?.[classes[i] as number] ?? `${classes[i]}`),
    isRelative: ordered.length > 0 && ordered.every((x) => x <= 1.5),
  };
}
