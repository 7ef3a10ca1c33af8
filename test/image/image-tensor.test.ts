import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { type ImageTensorOptions, imageTensor, type Pixels } from '../../src/image/index.js';
import { InferenceSession, Tensor, type ValueMetadata } from '../../src/index.js';
import { expectRejection } from '../expect-error.js';
import { bytesOf } from './bytes.js';
import { FILES } from './pictures.js';

const test = suite('imageTensor');

/** Two pixels: orange and azure. */
const two: Pixels = { data: Uint8ClampedArray.of(255, 128, 0, 255, 0, 102, 255, 255), width: 2, height: 1 };

const f32 = (...values: number[]) => Float32Array.from(values);

const CASES: readonly (readonly [
  what: string,
  options: ImageTensorOptions,
  dims: number[],
  data: ArrayLike<number>,
])[] = [
  ['nothing said', {}, [1, 3, 1, 2], f32(1, 0, 128 / 255, 0.4, 0, 1)],
  ['NHWC', { layout: 'NHWC' }, [1, 1, 2, 3], f32(1, 128 / 255, 0, 0, 0.4, 1)],
  ['BGR', { channels: 'BGR', normalize: 'bytes' }, [1, 3, 1, 2], f32(0, 255, 128, 102, 255, 0)],
  ['RGBA', { channels: 'RGBA', normalize: 'bytes' }, [1, 4, 1, 2], f32(255, 0, 128, 102, 0, 255, 255, 255)],
  [
    'BGRA',
    { channels: 'BGRA', layout: 'NHWC', normalize: 'bytes' },
    [1, 1, 2, 4],
    f32(0, 128, 255, 255, 255, 102, 0, 255),
  ],
  [
    'grey',
    { channels: 'grey', normalize: 'bytes' },
    [1, 1, 1, 2],
    f32(0.299 * 255 + 0.587 * 128, 0.587 * 102 + 0.114 * 255),
  ],
  ['signed', { normalize: 'signed' }, [1, 3, 1, 2], f32(1, -1, 256 / 255 - 1, -0.2, -1, 1)],
  [
    'imagenet, blue first: the statistics go with the colours',
    { normalize: 'imagenet', channels: 'BGR' },
    [1, 3, 1, 2],
    f32(
      -0.406 / 0.225,
      (1 - 0.406) / 0.225,
      (128 / 255 - 0.456) / 0.224,
      (0.4 - 0.456) / 0.224,
      (1 - 0.485) / 0.229,
      -0.485 / 0.229,
    ),
  ],
  [
    'clip',
    { normalize: 'clip', channels: 'RGB' },
    [1, 3, 1, 2],
    f32(
      (1 - 0.48145466) / 0.26862954,
      -0.48145466 / 0.26862954,
      (128 / 255 - 0.4578275) / 0.26130258,
      (0.4 - 0.4578275) / 0.26130258,
      -0.40821073 / 0.27577711,
      (1 - 0.40821073) / 0.27577711,
    ),
  ],
  ['mean and std', { mean: [0, 0.5, 1], std: 0.5 }, [1, 3, 1, 2], f32(2, 0, (128 / 255 - 0.5) * 2, -0.2, -2, 0)],
  ['uint8', { type: 'uint8' }, [1, 3, 1, 2], Uint8Array.of(255, 0, 128, 102, 0, 255)],
  ['float16', { type: 'float16' }, [1, 3, 1, 2], Uint16Array.of(0x3c00, 0, 0x3804, 0x3666, 0, 0x3c00)],
  ['int64', { type: 'int64' }, [1, 3, 1, 2], BigInt64Array.of(255n, 0n, 128n, 102n, 0n, 255n) as never],
];

for (const [what, options, dims, expected] of CASES)
  test(what, async () => {
    const tensor = await imageTensor(two, options);
    assert.instance(tensor, Tensor);
    assert.is(tensor.type, options.type ?? 'float32');
    assert.equal(tensor.dims, dims);
    const [actual, wanted] = [tensor.data, expected].map((list) => Array.from(list as ArrayLike<number>, Number));
    actual?.forEach((x, i) => {
      assert.ok(
        Math.abs(x - (wanted?.[i] as number)) <= 2.5e-7 * Math.max(1, Math.abs(x)),
        `${i}: ${x}, not ${wanted?.[i]}`,
      );
    });
  });

test('pixels of other decoders: grey, grey and alpha, RGB, 16 bits', async () => {
  const bytes = { normalize: 'bytes' } as const;
  const pixels = async (data: Uint8Array | Uint16Array) =>
    (await imageTensor({ data, width: 2, height: 1 }, bytes)).data;
  assert.equal(await pixels(Uint8Array.of(7, 9)), f32(7, 9, 7, 9, 7, 9));
  assert.equal(await pixels(Uint8Array.of(100, 51, 9, 255)), f32(20, 9, 20, 9, 20, 9));
  assert.equal(await pixels(Uint8Array.of(1, 2, 3, 4, 5, 6)), f32(1, 4, 2, 5, 3, 6));
  assert.equal(await pixels(Uint16Array.of(257, 514, 771, 65535, 0, 0)), f32(1, 255, 2, 0, 3, 0));
});

test('several pictures of one size are a batch', async () => {
  const batch = await imageTensor([two, two, bytesOf(FILES.jpeg.file)], { size: [1, 2], layout: 'NHWC' });
  assert.equal(batch.dims, [3, 1, 2, 3]);
  assert.equal(batch.data.slice(0, 6), (await imageTensor(two, { layout: 'NHWC' })).data);
  assert.equal(batch.data.slice(6, 12), batch.data.slice(0, 6));
  await expectRejection(
    'INVALID_SHAPE',
    /pictures of 1 by 2 and 8 by 16 .*give the option size/,
    imageTensor([two, bytesOf(FILES.jpeg.file)]),
  );
  await expectRejection('INVALID_SHAPE', /0 pictures are given/, imageTensor([]));
});

/** The mean of each channel of an image. */
async function sessionOf(
  dims: readonly (number | string)[],
  type: 'float32' | 'uint8' = 'float32',
): Promise<InferenceSession> {
  const b = modelBuilder({ opset: 21 });
  const image = b.input('image', type, dims);
  b.input('threshold', 'float32', []);
  b.output('same', b.op('Identity', [image]));
  return InferenceSession.create(b.toBytes());
}

const FORMS: readonly (readonly [
  dims: (number | string)[],
  options: ImageTensorOptions,
  made: number[],
  type?: 'uint8',
])[] = [
  [[1, 3, 4, 5], {}, [1, 3, 4, 5]],
  [['n', 3, 'h', 'w'], {}, [1, 3, 1, 2]],
  [['n', 3, 'h', 'w'], { size: 6 }, [1, 3, 6, 6]],
  [['n', 'c', 'h', 'w'], { size: 6 }, [1, 3, 6, 6]],
  [['n', 'c', 'h', 'w'], { size: 6, channels: 'grey' }, [1, 1, 6, 6]],
  [[1, 4, 5, 3], {}, [1, 4, 5, 3], 'uint8'],
  [['n', 28, 28, 1], {}, [1, 28, 28, 1]],
  [[1, 28, 28], {}, [1, 28, 28]],
  [['n', 'h', 'w', 'c'], { layout: 'NHWC' }, [1, 1, 2, 3]],
  [[1, 4, 8, 8], {}, [1, 4, 8, 8]],
];

for (const [dims, options, made, type] of FORMS)
  test(`for an input of dims [${dims}]: [${made}]`, async () => {
    await using session = await sessionOf(dims, type);
    const image = await imageTensor(two, { ...options, for: session });
    assert.equal(image.dims, made);
    assert.is(image.type, type ?? 'float32');
    const { same } = await session.run({ image, threshold: new Tensor('float32', [0], []) });
    assert.equal((same as Tensor).data, image.data);
    assert.equal(
      (await imageTensor(two, { ...options, for: session.inputMetadata[0] as ValueMetadata })).data,
      image.data,
    );
  });

test('what an input does not take is refused, and the input named', async () => {
  await using session = await sessionOf([1, 3, 4, 5]);
  const refused = (message: RegExp, options: ImageTensorOptions) =>
    expectRejection('INVALID_ARGUMENT', message, imageTensor(two, options));
  await refused(/"image" float32\[1,3,4,5\] has the height 4, not 8/, { for: session, size: 8 });
  await refused(/has the number of channels 3, not 1/, { for: session, channels: 'grey' });
  await refused(/is not of type uint8/, { for: session, type: 'uint8' });
  await refused(/the input "threshold" float32\[\] takes no picture/, {
    for: session.inputMetadata[1] as ValueMetadata,
  });
  await expectRejection('INVALID_SHAPE', /2 pictures are given, 1 must be/, imageTensor([two, two], { for: session }));
  const strings = { name: 's', isTensor: true, type: 'string', shape: [1, 3, 2, 2] } as const;
  await refused(/the type of a picture is one of .*not "string"/, { for: strings });
});

test('of a session, the one input that takes a picture is meant', async () => {
  const b = modelBuilder({ opset: 21 });
  const ids = b.input('ids', 'int64', ['n']);
  b.output('same', b.op('Identity', [ids]));
  await using textual = await InferenceSession.create(b.toBytes());
  await expectRejection(
    'INVALID_ARGUMENT',
    /no input takes a picture; there are "ids" int64\[n\]/,
    imageTensor(two, { for: textual }),
  );
  const picture = { isTensor: true, type: 'float32', shape: [1, 3, 2, 2] } as const;
  const inputMetadata = [
    { ...picture, name: 'left' },
    { ...picture, name: 'right' },
  ];
  await expectRejection(
    'INVALID_ARGUMENT',
    /more than one input .*"left" .*"right"/,
    imageTensor(two, { for: { inputMetadata } }),
  );
});

test('options that are none are refused', async () => {
  const refused = (message: RegExp, options: object) =>
    expectRejection('INVALID_ARGUMENT', message, imageTensor(two, options));
  await refused(/size is \[height, width\], or one number for both, not \[1,2,3\]/, { size: [1, 2, 3] });
  await refused(/size is/, { size: -1 });
  await refused(/layout is one of NCHW, NHWC, not "CHW"/, { layout: 'CHW' });
  await refused(/channels is one of RGB, .*not "rgb"/, { channels: 'rgb' });
  await refused(/normalize is one of unit, signed, imagenet, clip, bytes, not "none"/, { normalize: 'none' });
  await refused(/fit is one of cover, stretch, contain, not "fill"/, { fit: 'fill' });
  await refused(/crop is the part that is kept/, { crop: 2 });
  await refused(/mean must be one number, or one for each color, not \[1,2\]/, { mean: [1, 2] });
  await refused(/std 0 normalize nothing/, { std: 0 });
  await expectRejection(
    'INVALID_ARGUMENT',
    /5 entries of Uint8Array are no pixels of a picture 2 wide and 1 high/,
    imageTensor({ data: new Uint8Array(5), width: 2, height: 1 }),
  );
});

test('Tensor.fromImage: the same, also by the names of onnxruntime-common', async () => {
  assert.equal((await Tensor.fromImage(two, { layout: 'NHWC' })).dims, [1, 1, 2, 3]);
  const named = await Tensor.fromImage(two, {
    tensorFormat: 'BGR',
    tensorLayout: 'NHWC',
    norm: { mean: 1, bias: [-1, -2, -3] },
  });
  assert.equal(named.data, f32(-3, 126, 254, 252, 100, -1));
  assert.equal((await Tensor.fromImage(two, { resizedHeight: 3 })).dims, [1, 3, 3, 2]);
  assert.is((await Tensor.fromImage(two, { dataType: 'uint8' })).type, 'uint8');
});

test.run();
