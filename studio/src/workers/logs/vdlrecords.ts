import type { Content, Counts, Curve, Embedding, Entry, Parameter } from '../contracts/log-entries.js';
import { bucketsOf } from './entry.js';
import {
  bytes,
  double,
  doubles,
  float,
  floats,
  integer,
  integers,
  message,
  messageOf,
  messages,
  optional,
  text,
  texts,
} from './protobuf.js';

/** Records of VisualDL: https://github.com/PaddlePaddle/VisualDL/blob/develop/visualdl/proto/record.proto. */
const countsOfCurve = {
  truePositives: integers(1),
  falsePositives: integers(2),
  trueNegatives: integers(3),
  falseNegatives: integers(4),
};
const prCurve = messageOf({ ...countsOfCurve, precision: doubles(5), recall: doubles(6) });
const rocCurve = messageOf({ ...countsOfCurve, trueRate: doubles(5), falseRate: doubles(6) });

const parameter = messageOf({
  integer: optional(integer(1)),
  number: optional(double(2)),
  text: optional(text(3)),
  name: text(4),
});
const hyperParameters = messageOf({ values: messages(1, parameter), metrics: messages(2, parameter) });

const embeddings = messageOf({
  points: messages(1, messageOf({ labels: texts(1), vector: floats(2) })),
  headings: texts(2),
});

const value = messageOf({
  step: integer(1),
  tag: text(2),
  milliseconds: integer(3),
  value: optional(float(4)),
  image: message(5, messageOf({ encoded: bytes(4) })),
  audio: message(6, messageOf({ encoded: bytes(4), type: text(5) })),
  embeddings: message(7, embeddings),
  histogram: message(8, messageOf({ counts: doubles(1), edges: doubles(2) })),
  prCurve: message(9, prCurve),
  name: message(10, messageOf({ name: text(1) })),
  rocCurve: message(11, rocCurve),
  text: message(12, messageOf({ text: text(1) })),
  hyperParameters: message(13, hyperParameters),
  tagged: message(14, messageOf({ tag: text(1), value: float(2) })),
});
type ValueMessage = ReturnType<typeof value>;

const record = messageOf({ values: messages(1, value) });

/** Reads the records of a file. Throws a RangeError if one is invalid. */
export const vdlrecordsReader =
  () =>
  (bytes: Uint8Array): Entry[] =>
    record(bytes).values.flatMap(entriesOf);

function entriesOf(value: ValueMessage): Entry[] {
  const at = { step: value.step, wall: value.milliseconds / 1000 };
  const { tagged } = value;
  if (tagged) return [{ tag: `${value.tag}/${tagged.tag}`, ...at, kind: 'scalar', value: tagged.value }];
  for (const read of CONTENTS) {
    const found = read(value);
    if (found) return [{ tag: value.tag, ...at, ...found }];
  }
  return [];
}

/** The possible contents of a value. */
const CONTENTS: readonly ((value: ValueMessage) => Content | undefined)[] = [
  ({ value }) => (value === undefined ? undefined : { kind: 'scalar', value }),
  ({ image }) => image && { kind: 'image', files: [image.encoded] },
  ({ audio }) => audio && { kind: 'audio', type: audio.type, sounds: [audio.encoded] },
  ({ histogram }) => histogram && { kind: 'histogram', buckets: bucketsOf(histogram.edges, histogram.counts) },
  ({ text }) => text && { kind: 'text', texts: [text.text] },
  ({ name }) => name && { kind: 'name', name: name.name },
  ({ prCurve: c }) => c && curve('pr', c.recall, c.precision, c),
  ({ rocCurve: c }) => c && rocOf(c),
  ({ hyperParameters: found }) =>
    found && {
      kind: 'hparams',
      values: Object.fromEntries(found.values.map((each) => [each.name, parameterOf(each)])),
      metrics: found.metrics.map(({ name }) => name),
    },
  ({ embeddings: found }) => found && embeddingOf(found),
];

const parameterOf = ({ integer, number, text }: ReturnType<typeof parameter>): Parameter =>
  integer ?? number ?? text ?? '';

const curve = <K extends 'pr' | 'roc'>(
  kind: K,
  x: readonly number[],
  y: readonly number[],
  counts: Counts,
): Curve<K> => ({
  kind,
  x: Float64Array.from(x),
  y: Float64Array.from(y),
  counts,
});

/** Calculates rates from the counts if there are any: VisualDL divides true positives by the negatives, too. */
function rocOf(c: ReturnType<typeof rocCurve>): Curve<'roc'> {
  if (c.truePositives.length === 0) return curve('roc', c.falseRate, c.trueRate, c);
  const rate = (part: readonly number[], rest: readonly number[]) =>
    part.map((count, i) => count / Math.max(count + (rest[i] ?? 0), 1e-7));
  return curve('roc', rate(c.falsePositives, c.trueNegatives), rate(c.truePositives, c.falseNegatives), c);
}

/** Drops points whose number of dimensions differs from the first point's. */
function embeddingOf({ points, headings }: ReturnType<typeof embeddings>): Embedding | undefined {
  const size = points[0]?.vector.length ?? 0;
  const alike = points.filter(({ vector }) => vector.length === size);
  if (size === 0) return undefined;
  const vectors = new Float32Array(alike.length * size);
  for (const [i, { vector }] of alike.entries()) vectors.set(vector, i * size);
  return { kind: 'embedding', vectors, count: alike.length, labels: alike.map(({ labels }) => labels), headings };
}
