import { modelBuilder, tensor } from '../../src/builder/index.js';

/** Of wav2vec2's vocabulary, the part that is used, with its numbers. */
export const VOCABULARY = {
  '<pad>': 0,
  '<s>': 1,
  '</s>': 2,
  '<unk>': 3,
  '|': 4,
  E: 5,
  O: 8,
  H: 11,
  R: 13,
  D: 14,
  L: 15,
  W: 18,
};
const CHARACTERS = 19;
const RATE = 16_000;
const WINDOW = 400;
const HOP = 320;

/** The tone that a character is spoken as, Hz: a whole number of periods fits into the window. */
export const toneOf = (id: number): number => 400 + 80 * id;

/**
 * Hears tones as characters, under wav2vec2's interface: samples of variance 1 at 16 kHz to scores of each 20 ms. A character's score
 * is the power of its tone in the window, the blank's a constant.
 */
export function tones(): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const samples = b.input('input_values', 'float32', ['batch', 'samples']);
  const waves = Array.from({ length: 2 * CHARACTERS }, (_, i) =>
    Array.from({ length: WINDOW }, (_, t) => {
      const angle = (2 * Math.PI * toneOf(i >> 1) * t) / RATE;
      return ((i % 2 ? Math.cos(angle) : Math.sin(angle)) * 2) / WINDOW;
    }),
  );
  const gather = Array.from({ length: CHARACTERS }, (_, id) =>
    Array.from({ length: 2 * CHARACTERS }, (_, i) => Number(i >> 1 === id && id >= 4)),
  );
  const kernel = b.constant('waves', tensor('float32', [2 * CHARACTERS, 1, WINDOW], waves.flat()));
  const pairs = b.constant('pairs', tensor('float32', [CHARACTERS, 2 * CHARACTERS, 1], gather.flat()));
  const blank = b.constant('blank', tensor('float32', [CHARACTERS], [1, ...Array(CHARACTERS - 1).fill(0)]));
  const one = b.constant('one', tensor('int64', [1], [1]));
  const found = b.op('Conv', [b.op('Unsqueeze', [samples, one]), kernel], { strides: [HOP] });
  const power = b.op('Conv', [b.op('Mul', [found, found]), pairs, blank]);
  b.output('logits', b.op('Transpose', [power], { perm: [0, 2, 1] }));
  return b.toBytes();
}

/**
 * Finds what is red, under the interface of torchvision's detectors: a picture of 0 … 1 to boxes, scores and labels. Of the two boxes
 * the second is the whole picture, with a score too low to be shown.
 */
export function redFinder(side: number): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const image = b.input('image', 'float32', [3, side, side]);
  let count = 0;
  const constant = (type: 'int64' | 'float32', values: number[]) =>
    b.constant(`c${count++}`, tensor(type, [values.length], values));
  const ints = (...values: number[]) => constant('int64', values);
  const numbers = (...values: number[]) => constant('float32', values);
  const color = (i: number) => b.op('Slice', [image, ints(i), ints(i + 1), ints(0)]);
  const isRed = b.op('Greater', [b.op('Sub', [color(0), color(1)]), numbers(0.4)]);
  const mask = b.op('Cast', [isRed], { to: 1 });
  const places = numbers(...Array(side).keys());
  const ends = (axis: number) => {
    const line = b.op('Greater', [b.op('ReduceMax', [mask], { axes: [0, axis], keepdims: 0 }), numbers(0.5)]);
    const first = b.op('ReduceMin', [b.op('Where', [line, places, numbers(side)])], { axes: [0] });
    const last = b.op('ReduceMax', [b.op('Where', [line, b.op('Add', [places, numbers(1)]), numbers(0)])], {
      axes: [0],
    });
    return [first, last] as const;
  };
  const [left, right] = ends(1);
  const [top, bottom] = ends(2);
  const found = b.op('Concat', [left, top, right, bottom, numbers(0, 0, side, side)], { axis: 0 });
  b.output('boxes', b.op('Reshape', [found, ints(2, 4)]));
  const isThere = b.op('ReduceMax', [mask], { axes: [0, 1, 2], keepdims: 0 });
  b.output('scores', b.op('Mul', [numbers(0.9, 0.2), isThere]));
  b.output('labels', b.op('Identity', [ints(7, 1)]));
  return b.toBytes();
}

/** A pipeline with an input for each column, as of a ColumnTransformer: 1 if age ÷ 10 plus 3 in Rome is above 5. */
export function columns(): Uint8Array {
  const b = modelBuilder({ opset: 17, opsets: { 'ai.onnx.ml': 3 } });
  const age = b.input('age', 'float32', ['rows', 1]);
  const city = b.input('city', 'string', ['rows', 1]);
  const ml = { domain: 'ai.onnx.ml' };
  const places = b.op('OneHotEncoder', [city], { cats_strings: ['Oslo', 'Rome'], zeros: 1 }, ml);
  const two = b.constant('two', tensor('int64', [2], [-1, 2]));
  const features = b.op('Concat', [age, b.op('Reshape', [places, two])], { axis: 1 });
  const weights = b.constant('weights', tensor('float32', [3, 1], [0.1, 0, 3]));
  const isMore = b.op('Greater', [b.op('MatMul', [features, weights]), b.constant('five', tensor('float32', [], [5]))]);
  b.output('label', b.op('Cast', [isMore], { to: 7 }));
  return b.toBytes();
}

/** Some 10 ms of work, so many times. */
export function slow(times: number): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const weights = b.constant('w', tensor('float32', [512, 512], new Float32Array(512 * 512).fill(0.001)));
  let x = b.input('x', 'float32', [512, 512]);
  for (let i = 0; i < times; i++) x = b.op('MatMul', [x, weights]);
  b.output('y', x);
  return b.toBytes();
}
