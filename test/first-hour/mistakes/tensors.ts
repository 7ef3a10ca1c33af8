import { InferenceSession, Tensor } from '../../../src/index.js';
import type { Mistake } from './mistake.js';

/** The constructors as JavaScript has them, without types. */
const make = (...args: unknown[]) => new (Tensor as unknown as new (...given: unknown[]) => Tensor)(...args);
const session = (...args: unknown[]) =>
  new (InferenceSession as unknown as new (...given: unknown[]) => unknown)(...args);

export const tensors: readonly Mistake[] = [
  {
    who: 'gives nested lists',
    gets: 'INVALID_VALUE',
    wrong: /element 0 is an array/,
    where: /element 0/,
    remedy: /one flat list, e\.g\. data\.flat\(Infinity\), and the shape as dims/,
    by: () =>
      make(
        'float32',
        [
          [1, 2],
          [3, 4],
        ],
        [2],
      ),
  },
  {
    who: 'gives text for numbers',
    gets: 'INVALID_VALUE',
    wrong: /is "a"/,
    where: /element 1/,
    remedy: /float32 takes numbers, e\.g\. data\.map\(Number\)/,
    by: () => make('float32', [1, 'a']),
  },
  {
    who: 'gives numbers that bytes do not hold',
    gets: 'INVALID_VALUE',
    wrong: /is 300/,
    where: /element 0/,
    remedy: /uint8 holds whole numbers from 0 to 255/,
    by: () => make('uint8', [300, -1]),
  },
  {
    who: 'gives fractions for int64',
    gets: 'INVALID_VALUE',
    wrong: /is 1\.5/,
    where: /element 0/,
    remedy: /int64 holds whole numbers/,
    by: () => make('int64', [1.5]),
  },
  {
    who: 'gives a number for the dims',
    gets: 'INVALID_SHAPE',
    wrong: /got 3/,
    where: /dims/,
    remedy: /must be an array of integers, e\.g\. \[2, 3\]/,
    by: () => make('float32', new Float32Array(3), 3),
  },
  {
    who: 'gives dims that do not fit the data',
    gets: 'INVALID_SHAPE',
    wrong: /the data has 3/,
    where: /float32\[2,2\]/,
    remedy: /holds 4 entries/,
    by: () => make('float32', new Float32Array(3), [2, 2]),
  },
  {
    who: 'gives the pixels of a canvas under the dims of three channels',
    gets: 'INVALID_SHAPE',
    wrong: /the data has 256/,
    where: /uint8\[1,3,8,8\] holds 192 entries/,
    remedy: /a pixel of a canvas has 4 \(RGBA\), take the first 3/,
    by: () => make('uint8', new Uint8ClampedArray(256), [1, 3, 8, 8]),
  },
  {
    who: 'gives integers of 32 bits as int64',
    gets: 'INVALID_TYPE',
    wrong: /int64 needs BigInt64Array or a list/,
    where: /got Int32Array/,
    remedy: /pass BigInt64Array\.from\(data, BigInt\)/,
    by: () => make('int64', new Int32Array(2), [2]),
  },
  {
    who: 'gives double precision as float32',
    gets: 'INVALID_TYPE',
    wrong: /float32 needs Float32Array or a list/,
    where: /got Float64Array/,
    remedy: /pass Float32Array\.from\(data\)/,
    by: () => make('float32', new Float64Array(2), [2]),
  },
  {
    who: 'gives single precision as float16',
    gets: 'INVALID_TYPE',
    wrong: /float16 needs Uint16Array or a list/,
    where: /got Float32Array/,
    remedy: /pass Array\.from\(data\)/,
    by: () => make('float16', new Float32Array(2), [2]),
  },
  {
    who: 'does not await the data',
    gets: 'INVALID_TYPE',
    wrong: /float32 needs Float32Array or a list/,
    where: /got a Promise/,
    remedy: /did you forget await\?/,
    by: () => make('float32', Promise.resolve(new Float32Array(2)), [2]),
  },
  {
    who: 'does not await the dims',
    gets: 'INVALID_SHAPE',
    wrong: /a Promise/,
    where: /dims/,
    remedy: /did you forget await\?/,
    by: () => make('float32', [1, 2], Promise.resolve([2])),
  },
  {
    who: "gives NumPy's or C's name of a type",
    gets: 'INVALID_TYPE',
    wrong: /unknown element type "float"/,
    where: /"float"/,
    remedy: /known: float32, uint8/,
    by: () => make('float', [1]),
  },
  {
    who: 'makes a session with new',
    gets: 'INVALID_ARGUMENT',
    wrong: /instead of new/,
    where: /InferenceSession/,
    remedy: /await InferenceSession\.create\(model\)/,
    by: () => session('model.onnx'),
  },
];
