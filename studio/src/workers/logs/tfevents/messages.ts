import {
  byteStrings,
  bytes,
  type Decoded,
  double,
  doubles,
  flag,
  float,
  floats,
  integer,
  integers,
  message,
  messageOf,
  messages,
  optional,
  text,
} from '../protobuf.js';

/** The fields used of TensorFlow's event.proto, summary.proto, histogram.proto and tensor.proto. */
const tensor = messageOf({
  dtype: integer(1),
  shape: message(2, messageOf({ dims: messages(2, messageOf({ size: integer(1) })) })),
  content: bytes(4),
  halves: integers(13),
  floats: floats(5),
  doubles: doubles(6),
  integers: integers(7),
  strings: byteStrings(8),
  longs: integers(10),
});
export type TensorMessage = ReturnType<typeof tensor>;

const histogram = messageOf({ least: double(1), largest: double(2), edges: doubles(6), counts: doubles(7) });
export type HistogramMessage = ReturnType<typeof histogram>;

const metadata = messageOf({ plugin: message(1, messageOf({ name: text(1), content: bytes(2) })) });

const value = messageOf({
  tag: text(1),
  nodeName: text(7),
  simpleValue: optional(float(2)),
  image: message(4, messageOf({ encoded: bytes(4) })),
  histogram: message(5, histogram),
  audio: message(6, messageOf({ encoded: bytes(4), type: text(5) })),
  tensor: message(8, tensor),
  metadata: message(9, metadata),
});
export type ValueMessage = ReturnType<typeof value>;

export const event = messageOf({
  wallTime: double(1),
  step: integer(2),
  graph: optional(bytes(4)),
  summary: message(5, messageOf({ values: messages(1, value) })),
});

/** The fields of google.protobuf.Value that hyperparameters use. */
const parameter = messageOf({ number: optional(double(2)), text: optional(text(3)), flag: optional(flag(4)) });
export type ParameterMessage = ReturnType<typeof parameter>;

/** HParamsPluginData of TensorBoard's plugin. */
export const hyperParameters = messageOf({
  experiment: message(
    2,
    messageOf({ metrics: messages(5, messageOf({ name: message(1, messageOf({ tag: text(2) })) })) }),
  ),
  start: message(3, messageOf({ values: messages(1, messageOf({ key: text(1), value: message(2, parameter) })) })),
  end: message(4, messageOf({ status: integer(1) })),
});
export type { Decoded };
