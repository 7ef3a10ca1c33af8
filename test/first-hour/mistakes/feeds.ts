import { modelBuilder } from '../../../src/builder/index.js';
import { InferenceSession, Tensor } from '../../../src/index.js';
import type { Mistake } from './mistake.js';
import { classifier, encoder } from './networks.js';

/** Whatever a newcomer gives to `run`, whose types would have refused it. */
async function run(model: Uint8Array, ...args: unknown[]): Promise<unknown> {
  const session = await InferenceSession.create(model);
  return (session.run as (...given: unknown[]) => Promise<unknown>).apply(session, args);
}

const classify = (...args: unknown[]) => run(classifier(), ...args);
const encode = (...args: unknown[]) => run(encoder(), ...args);

const zeros = (...dims: number[]) => new Tensor('float32', new Float32Array(dims.reduce((n, d) => n * d, 1)), dims);
const ids = (...values: number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
const image = zeros(1, 3, 8, 8);

function listOfTensors(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const list = b.input('list', { kind: 'sequence', of: { kind: 'tensor', element: 'float32' } });
  b.output('y', b.op('ConcatFromSequence', [list], { axis: 0 }));
  return b.toBytes();
}

export const feeds: readonly Mistake[] = [
  {
    who: 'does not await the feeds',
    gets: 'INVALID_ARGUMENT',
    wrong: /got a Promise/,
    where: /feeds must be an object/,
    remedy: /did you forget await\?/,
    by: () => classify(Promise.resolve({ image })),
  },
  {
    who: 'does not await the outputs to compute',
    gets: 'INVALID_ARGUMENT',
    wrong: /got a Promise/,
    where: /the second argument of run/,
    remedy: /did you forget await\?/,
    by: () => classify({ image }, Promise.resolve(['scores'])),
  },
  {
    who: 'does not await the data',
    gets: 'INVALID_TYPE',
    wrong: /float32 needs Float32Array; got a Promise/,
    where: /value "image"/,
    remedy: /did you forget await\?/,
    by: () =>
      classify({ image: { type: 'float32', dims: [1, 3, 8, 8], data: Promise.resolve(new Float32Array(192)) } }),
  },
  {
    who: 'feeds data in double precision',
    gets: 'INVALID_TYPE',
    wrong: /float32 needs Float32Array; got Float64Array/,
    where: /value "image"/,
    remedy: /pass Float32Array\.from\(data\)/,
    by: () => classify({ image: { type: 'float32', dims: [1, 3, 8, 8], data: new Float64Array(192) } }),
  },
  {
    who: 'calls run without feeds',
    gets: 'INVALID_ARGUMENT',
    wrong: /got undefined/,
    where: /feeds/,
    remedy: /must be an object of values by input name/,
    by: () => classify(),
  },
  {
    who: 'gives run the tensor itself',
    gets: 'INVALID_ARGUMENT',
    wrong: /got a tensor/,
    where: /feeds/,
    remedy: /must be an object of values by input name, \{ "image": … \}/,
    by: () => classify(image),
  },
  {
    who: 'gives run a list of tensors',
    gets: 'INVALID_ARGUMENT',
    wrong: /got an array/,
    where: /feeds/,
    remedy: /must be an object of values by input name, \{ "image": … \}/,
    by: () => classify([image]),
  },
  {
    who: 'feeds under another name',
    gets: 'UNKNOWN_FEED',
    wrong: /value "pixel_values": the model has no such input/,
    where: /its inputs are "image"/,
    remedy: /feed the tensor under that name: \{ image: … \}/,
    by: () => classify({ pixel_values: image }),
  },
  {
    who: 'mistypes the name of an input',
    gets: 'UNKNOWN_FEED',
    wrong: /value "inputIds": the model has no such input/,
    where: /"input_ids" \(int64\[batch,sequence\]\), "attention_mask"/,
    remedy: /did you mean "input_ids"\?/,
    by: () => encode({ inputIds: ids(1, 2), attention_mask: ids(1, 1) }),
  },
  {
    who: 'forgets an input',
    gets: 'MISSING_FEED',
    wrong: /is not fed; fed: "input_ids"/,
    where: /value "attention_mask"/,
    remedy: /run it with \{ attention_mask: new Tensor\('int64', data, \[batch,sequence\]\) \}/,
    by: () => encode({ input_ids: ids(1, 2) }),
  },
  {
    who: 'feeds a Float32Array',
    gets: 'INVALID_TYPE',
    wrong: /expected a float32\[1,3,8,8\] tensor, got Float32Array/,
    where: /value "image"/,
    remedy: /feed new Tensor\('float32', data, \[1,3,8,8\]\)/,
    by: () => classify({ image: new Float32Array(192) }),
  },
  {
    who: 'feeds a plain array',
    gets: 'INVALID_TYPE',
    wrong: /got an array/,
    where: /value "image"/,
    remedy: /feed new Tensor\('float32', data, \[1,3,8,8\]\)/,
    by: () => classify({ image: [[[0.5]]] }),
  },
  {
    who: 'feeds a promise of a tensor',
    gets: 'INVALID_TYPE',
    wrong: /expected a float32\[1,3,8,8\] tensor, got a Promise/,
    where: /value "image"/,
    remedy: /did you forget await\?/,
    by: () => classify({ image: Promise.resolve(image) }),
  },
  {
    who: 'feeds channels last where they come first',
    gets: 'INVALID_SHAPE',
    wrong: /expected dims \[1,3,8,8\], got \[1,8,8,3\]/,
    where: /value "image"/,
    remedy:
      /the model expects channels first \(NCHW\), and the feed has them last \(NHWC\); transpose the data, not only the dims/,
    by: () => classify({ image: zeros(1, 8, 8, 3) }),
  },
  {
    who: 'forgets the batch',
    gets: 'INVALID_SHAPE',
    wrong: /expected dims \[1,3,8,8\], got \[3,8,8\]/,
    where: /value "image"/,
    remedy: /the batch dimension is missing; use dims \[1,3,8,8\]/,
    by: () => classify({ image: zeros(3, 8, 8) }),
  },
  {
    who: 'feeds several images to a model of one',
    gets: 'INVALID_SHAPE',
    wrong: /expected dims \[1,3,8,8\], got \[4,3,8,8\]/,
    where: /value "image"/,
    remedy: /a fixed batch size of 1; run 1 at a time, or export the model with a dynamic batch dimension/,
    by: () => classify({ image: zeros(4, 3, 8, 8) }),
  },
  {
    who: 'forgets to resize the image',
    gets: 'INVALID_SHAPE',
    wrong: /expected dims \[1,3,8,8\], got \[1,3,16,8\]/,
    where: /value "image".*axis 2 must be 8/,
    remedy: /resize, pad or crop the data/,
    by: () => classify({ image: zeros(1, 3, 16, 8) }),
  },
  {
    who: 'leaves the dims to the length of the data',
    gets: 'INVALID_SHAPE',
    wrong: /got \[192\]/,
    where: /value "image"/,
    remedy: /if their order is too, use dims \[1,3,8,8\]/,
    by: () => classify({ image: new Tensor('float32', new Float32Array(192)) }),
  },
  {
    who: 'feeds the pixels of a canvas, which have four channels',
    gets: 'INVALID_SHAPE',
    wrong: /float32\[1,3,8,8\] holds 192 entries, the data has 256/,
    where: /value "image"/,
    remedy: /a pixel of a canvas has 4 \(RGBA\), take the first 3 of each/,
    by: () => classify({ image: { type: 'float32', dims: [1, 3, 8, 8], data: new Float32Array(256) } }),
  },
  {
    who: 'computes dims from what is not there yet',
    gets: 'INVALID_SHAPE',
    wrong: /dims must be non-negative integers: dims\[2\] is NaN/,
    where: /value "image"/,
    remedy: /check how they were computed/,
    by: () => classify({ image: { type: 'float32', dims: [1, 3, Number.NaN, 8], data: new Float32Array(192) } }),
  },
  {
    who: 'feeds bytes of an image as they are',
    gets: 'INVALID_TYPE',
    wrong: /expected float32\[1,3,8,8\], got uint8\[1,3,8,8\]/,
    where: /value "image"/,
    remedy: /Float32Array\.from\(data, Number\).*data \/ 255/,
    by: () => classify({ image: new Tensor('uint8', new Uint8Array(192), [1, 3, 8, 8]) }),
  },
  {
    who: 'feeds int32 for int64',
    gets: 'INVALID_TYPE',
    wrong: /expected int64\[batch,sequence\], got int32\[1,2\]/,
    where: /value "input_ids"/,
    remedy: /feed new Tensor\('int64', BigInt64Array\.from\(data, BigInt\), \[1,2\]\)/,
    by: () => encode({ input_ids: new Tensor('int32', Int32Array.of(1, 2), [1, 2]), attention_mask: ids(1, 1) }),
  },
  {
    who: 'feeds numbers without a type for int64',
    gets: 'INVALID_TYPE',
    wrong: /expected int64\[batch,sequence\], got float32\[1,2\]/,
    where: /value "input_ids"/,
    remedy: /BigInt64Array\.from\(data, BigInt\)/,
    by: () => encode({ input_ids: new Tensor([1, 2], [1, 2]), attention_mask: ids(1, 1) }),
  },
  {
    who: 'feeds words where ids are wanted',
    gets: 'INVALID_TYPE',
    wrong: /got string\[1,2\]/,
    where: /value "input_ids"/,
    remedy: /with the model's tokenizer/,
    by: () => encode({ input_ids: new Tensor(['hello', 'world'], [1, 2]), attention_mask: ids(1, 1) }),
  },
  {
    who: 'feeds inputs of unequal lengths',
    gets: 'INVALID_SHAPE',
    wrong: /make "sequence" 1, which is 2 in "input_ids"/,
    where: /value "attention_mask"/,
    remedy: /pad or crop the inputs/,
    by: () => encode({ input_ids: ids(1, 2), attention_mask: ids(1) }),
  },
  {
    who: 'has a tokenizer of another model',
    gets: 'INVALID_VALUE',
    wrong: /index 30522 at \[0,1\] is outside axis 0 of size 10/,
    where: /Gather "embed"/,
    remedy: /-10 to 9 are valid/,
    by: () => encode({ input_ids: ids(1, 30522), attention_mask: ids(1, 1) }),
  },
  {
    who: 'feeds a tensor that was disposed of',
    gets: 'RELEASED',
    wrong: /the tensor has been disposed of/,
    where: /value "image"/,
    remedy: /call dispose\(\) after the run, or feed a new tensor/,
    by: () => {
      const tensor = zeros(1, 3, 8, 8);
      tensor.dispose();
      return classify({ image: tensor });
    },
  },
  {
    who: 'feeds a tensor whose buffer was handed over',
    gets: 'INVALID_SHAPE',
    wrong: /holds 192 entries, the data has 0/,
    where: /value "image"/,
    remedy: /its buffer was transferred.*feed a copy/,
    by: () => {
      const tensor = zeros(1, 3, 8, 8);
      const { buffer } = tensor.data as Float32Array<ArrayBuffer>;
      structuredClone(buffer, { transfer: [buffer] });
      return classify({ image: tensor });
    },
  },
  {
    who: 'feeds one tensor for a sequence',
    gets: 'INVALID_TYPE',
    wrong: /expected seq\(float32\[…\]\), got a tensor/,
    where: /value "list"/,
    remedy: /feed an array of tensors/,
    by: () => run(listOfTensors(), { list: zeros(2) }),
  },
  {
    who: 'asks for an output under another name',
    gets: 'UNKNOWN_OUTPUT',
    wrong: /value "score": the model has no such output/,
    where: /its outputs are "scores"/,
    remedy: /did you mean "scores"\?/,
    by: () => classify({ image }, ['score']),
  },
  {
    who: 'misspells an option of run',
    gets: 'a warning',
    wrong: /the option "abortSignal" of run has no effect/,
    where: /run/,
    remedy: /did you mean "signal"\?/,
    by: () => classify({ image }, { abortSignal: new AbortController().signal }),
  },
  {
    who: 'gives a tensor of another size to write into',
    gets: 'INVALID_SHAPE',
    wrong: /does not fit into the given float32\[1,5\]/,
    where: /value "scores"/,
    remedy: /the output is float32\[1,3\]/,
    by: () => classify({ image }, { scores: zeros(1, 5) }),
  },
  {
    who: 'runs a session after its release',
    gets: 'RELEASED',
    wrong: /the session has been released/,
    where: /session/,
    remedy: /create a new one/,
    by: async () => {
      const session = await InferenceSession.create(classifier());
      await session.release();
      return session.run({ image });
    },
  },
];
