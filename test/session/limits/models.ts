import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import type { GraphBuilder } from '../../../src/builder/graph-builder.js';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { ModelBuilder } from '../../../src/builder/model-builder.js';
import type { Value } from '../../../src/graph/graph.js';
import type { Feeds } from '../../../src/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { f32, int64s } from '../../values.js';

/** A small file, and feeds for it, that ask for ten gigabytes or more. */
export interface Hostile {
  readonly name: string;
  readonly build: (b: ModelBuilder) => Value | readonly Value[];
  readonly feeds?: Feeds;
  /** What the message must say beside the limit. */
  readonly where: RegExp;
}

const one = (type: ElementType, value: number | bigint | string | boolean): TensorValue =>
  tensor(type, [], [value] as never);

export function bytesOf({ build }: Hostile): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const made = build(b);
  for (const [i, value] of [made].flat().entries()) b.output(`y${i}`, value as Value);
  return b.toBytes();
}

/** A loop over `carried` values; `trips` of 2 ** 62 never ends by itself. */
function loop(
  b: ModelBuilder,
  carried: readonly (readonly [Value, ...Parameters<GraphBuilder['input']>])[],
  body: (g: GraphBuilder, values: readonly Value[]) => readonly Value[],
  outputs = carried.length,
): readonly Value[] {
  const graph = b.subgraph('body', (g) => {
    g.input('i', 'int64', []);
    const going = g.input('going', 'bool', []);
    const values = carried.map(([, ...declared]) => g.input(...declared));
    g.output('goes_on', g.op('Identity', [going]));
    for (const [i, value] of body(g, values).entries()) g.output(`next${i}`, g.op('Identity', [value]));
  });
  const trips = b.constant('trips', tensor('int64', [], [2n ** 62n]));
  return b.node('Loop', [trips, null, ...carried.map(([value]) => value)], { body: graph }, { outputs }) as Value[];
}

const sizes = (b: ModelBuilder) => b.input('sizes', 'int64', ['r']);
const fed = (...values: readonly number[]): Feeds => ({ sizes: int64s([...values]) });

const image = (name: string, stream: Uint8Array): Hostile => ({
  name,
  build: (b) => b.op('ImageDecoder', [b.input('stream', 'uint8', ['n'])]),
  feeds: { stream: tensor('uint8', [stream.length], stream) },
  where: /ImageDecoder "/,
});

const u32 = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
const ascii = (text: string) => [...Buffer.from(text, 'latin1')];
const chunk = (type: string, data: Uint8Array | readonly number[]) =>
  Buffer.from([...u32(data.length), ...ascii(type), ...data, 0, 0, 0, 0]);

/** A PNG in 8-bit RGB, whatever its data are; `data` lies in its IDAT. */
const png = (width: number, height: number, data: Uint8Array, ...more: readonly Buffer[]) =>
  Buffer.concat([
    Buffer.from([0x89, ...ascii('PNG\r\n\x1a\n')]),
    chunk('IHDR', [...u32(width), ...u32(height), 8, 2, 0, 0, 0]),
    ...more,
    chunk('IDAT', data),
    chunk('IEND', []),
  ]);

export const MEBIBYTE = 1 << 20;

/** A zlib stream of zeros, `mebibytes` of them, some thousand times smaller. */
function zeros(mebibytes: number): Uint8Array {
  const block = deflateRawSync(new Uint8Array(MEBIBYTE), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const end = [1, 0, 0, 0xff, 0xff, 0, 0, 0, 0];
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...new Array<Buffer>(mebibytes).fill(block), Buffer.from(end)]);
}

const le = (bytes: number, value: number) => Array.from({ length: bytes }, (_, i) => (value / 256 ** i) & 255);
const field = (tag: number, type: number, value: number) => [
  ...le(2, tag),
  ...le(2, type),
  ...le(4, 1),
  ...le(4, value),
];

/** A grey TIFF of one strip of 8-bit samples. */
function tiff(width: number, height: number, compression: number, strip: Uint8Array): Uint8Array {
  const entries = [
    field(256, 4, width),
    field(257, 4, height),
    field(258, 3, 8),
    field(259, 3, compression),
    field(262, 3, 1),
    field(273, 4, 8),
    field(277, 3, 1),
    field(278, 4, height),
    field(279, 4, strip.length),
  ];
  const directory = 8 + strip.length;
  return Uint8Array.from([
    ...ascii('II*\0'),
    ...le(4, directory),
    ...strip,
    ...le(2, entries.length),
    ...entries.flat(),
    ...le(4, 0),
  ]);
}

/** LZW codes of 9 to 12 bits that stand for ever longer runs of zeros: 7 MB for 5 KB, over and over. */
function lzwBomb(rounds: number): Uint8Array {
  const bytes: number[] = [];
  let [word, bits] = [0, 0];
  const put = (code: number, width: number) => {
    word = (word << width) | code;
    for (bits += width; bits >= 8; bits -= 8) bytes.push((word >> (bits - 8)) & 255);
    word &= (1 << bits) - 1;
  };
  for (let round = 0; round < rounds; round++) {
    let [width, next] = [9, 258];
    put(256, width === 9 && round > 0 ? 12 : 9);
    put(0, 9);
    for (let code = 258; code < 4094; code++) {
      put(code, width);
      next++;
      if (next === (1 << width) - 1 && width < 12) width++;
    }
  }
  put(257, 12);
  put(0, 8);
  return Uint8Array.from(bytes);
}

export const HOSTILE: readonly Hostile[] = [
  {
    name: 'ConstantOfShape of fed sizes',
    build: (b) => b.op('ConstantOfShape', [sizes(b)]),
    feeds: fed(50_000, 50_000),
    where: /ConstantOfShape "/,
  },
  {
    name: 'ConstantOfShape in the model',
    build: (b) => b.op('ConstantOfShape', [b.constant('shape', int64s([50_000, 50_000]))]),
    where: /ConstantOfShape "/,
  },
  {
    name: 'a tensor that no memory could hold',
    build: (b) => b.op('ConstantOfShape', [sizes(b)]),
    feeds: fed(2 ** 30, 2 ** 30),
    where: /ConstantOfShape "/,
  },
  {
    name: 'Expand',
    build: (b) => b.op('Expand', [b.input('x', 'float32', [1]), sizes(b)]),
    feeds: { x: f32([1], [1]), ...fed(30_000, 30_000) },
    where: /Expand "/,
  },
  {
    name: 'Expand of strings',
    build: (b) => b.op('Expand', [b.input('x', 'string', [1]), sizes(b)]),
    feeds: { x: tensor('string', [1], ['a']), ...fed(30_000, 30_000) },
    where: /Expand "/,
  },
  {
    name: 'Tile',
    build: (b) => b.op('Tile', [b.input('x', 'float32', [1, 1]), sizes(b)]),
    feeds: { x: tensor('float32', [1, 1], [1]), ...fed(30_000, 30_000) },
    where: /Tile "/,
  },
  {
    name: 'Range',
    build: (b) =>
      b.op('Range', [
        b.constant('from', one('int64', 0n)),
        b.input('to', 'int64', []),
        b.constant('by', one('int64', 1n)),
      ]),
    feeds: { to: one('int64', 400_000_000n) },
    where: /Range "/,
  },
  {
    name: 'Pad',
    build: (b) => b.op('Pad', [b.input('x', 'float32', [1, 1]), sizes(b)]),
    feeds: { x: tensor('float32', [1, 1], [1]), ...fed(0, 0, 30_000, 30_000) },
    where: /Pad "/,
  },
  {
    name: 'Resize',
    build: (b) => b.op('Resize', [b.input('x', 'float32', [1, 1, 1, 1]), null, null, sizes(b)]),
    feeds: { x: tensor('float32', [1, 1, 1, 1], [1]), ...fed(1, 1, 30_000, 30_000) },
    where: /Resize "|Concat|Gather|sardonyx/,
  },
  {
    name: 'OneHot',
    build: (b) =>
      b.op('OneHot', [b.input('x', 'int64', [1000]), b.input('depth', 'int64', []), b.constant('v', f32([2], [0, 1]))]),
    feeds: { x: tensor('int64', [1000], new BigInt64Array(1000)), depth: one('int64', 1_000_000n) },
    where: /OneHot "/,
  },
  {
    name: 'an outer product',
    build: (b) => {
      const x = b.input('x', 'float32', ['n']);
      return b.op('MatMul', [
        b.op('Unsqueeze', [x, b.constant('a', int64s([1]))]),
        b.op('Unsqueeze', [x, b.constant('b', int64s([0]))]),
      ]);
    },
    feeds: { x: tensor('float32', [40_000], new Float32Array(40_000)) },
    where: /MatMul "|Mul "/,
  },
  {
    name: 'an outer product on the host',
    build: (b) => {
      const x = b.input('x', 'uint64', ['n']);
      return b.op('Einsum', [x, x], { equation: 'i,j->ij' });
    },
    feeds: { x: tensor('uint64', [40_000], new BigUint64Array(40_000)) },
    where: /Einsum "/,
  },
  {
    name: 'Concat that doubles in a loop',
    build: (b) =>
      loop(b, [[b.constant('x', f32([2], [1, 2])), 'v', 'float32', ['n']]], (g, [v]) => [
        g.op('Concat', [v as Value, v as Value], { axis: 0 }),
      ]),
    where: /Loop "|Concat "/,
  },
  {
    name: 'StringConcat that doubles in a loop',
    build: (b) =>
      loop(b, [[b.constant('x', tensor('string', [1], ['ab'])), 'v', 'string', [1]]], (g, [v]) => [
        g.op('StringConcat', [v as Value, v as Value]),
      ]),
    where: /Loop "|StringConcat "/,
  },
  {
    name: 'SequenceInsert in a loop',
    build: (b) => {
      const of = { kind: 'sequence', of: { kind: 'tensor', element: 'float32' } } as const;
      const x = b.constant('x', tensor('float32', [100, 100], new Float32Array(10_000)));
      return loop(b, [[b.op('SequenceEmpty', []), 's', of]], (g, [s]) => [
        g.op('SequenceInsert', [s as Value, g.op('Add', [x, x])]),
      ]);
    },
    where: /Loop "|SequenceInsert "/,
  },
  {
    name: 'what a loop gathers',
    build: (b) => {
      const x = b.constant('x', tensor('float32', [100, 100], new Float32Array(10_000)));
      return loop(b, [], (g) => [g.op('Add', [x, x])], 1);
    },
    where: /Loop "/,
  },
  {
    name: 'nothing, gathered for ever',
    build: (b) => loop(b, [], (g) => [g.op('Identity', [b.constant('x', tensor('float32', [0], []))])], 1),
    where: /Loop "/,
  },
  {
    name: 'NonZero of much',
    build: (b) => b.op('NonZero', [b.op('Expand', [b.input('x', 'float32', [1]), sizes(b)])]),
    feeds: { x: f32([1], [1]), ...fed(1, 1, 1, 1, 1, 1, 2000, 2000) },
    where: /NonZero "/,
  },
  {
    name: 'Unique of much',
    build: (b) =>
      b.node(
        'Unique',
        [
          b.op('Range', [
            b.constant('f', one('int64', 0n)),
            b.input('to', 'int64', []),
            b.constant('d', one('int64', 1n)),
          ]),
        ],
        {},
        { outputs: 4 },
      ),
    feeds: { to: one('int64', 6_000_000n) },
    where: /Unique "/,
  },
  {
    name: 'a pool of endless windows',
    build: (b) =>
      b.op('MaxPool', [b.input('x', 'float64', [1, 1, 50_000])], { kernel_shape: [40_000], pads: [30_000, 30_000] }),
    feeds: { x: tensor('float64', [1, 1, 50_000], new Float64Array(50_000)) },
    where: /MaxPool "/,
  },
  {
    name: 'a Fourier transform of hundreds of millions of points',
    build: (b) => b.op('DFT', [b.input('x', 'float32', [1, 4, 1]), b.input('n', 'int64', [])]),
    feeds: { x: tensor('float32', [1, 4, 1], [1, 2, 3, 4]), n: one('int64', 400_000_000n) },
    where: /DFT "/,
  },
  {
    name: 'random numbers',
    build: (b) => b.op('RandomNormal', [], { shape: [30_000, 30_000], seed: 1.5 }),
    where: /RandomNormal "/,
  },
  {
    name: 'a sparse constant',
    build: (b) =>
      b.op('Identity', [b.sparseConstant('w', { values: f32([1], [1]), indices: int64s([3]), dims: [8000, 8000] })]),
    where: /value "w"/,
  },
  {
    name: 'strings split into parts of every width',
    build: (b) => b.node('StringSplit', [b.input('x', 'string', [20_000])], { delimiter: ',' }, { outputs: 2 }),
    feeds: { x: tensor('string', [20_000], ['a,'.repeat(50_000), ...new Array<string>(19_999).fill('')]) },
    where: /StringSplit "/,
  },
  image('a PNG of 100,000 by 100,000 pixels', png(100_000, 100_000, deflateSync(new Uint8Array(9)))),
  image('a PNG of one pixel and 1.5 GiB of zeros', png(1, 1, zeros(1536))),
  image(
    'a PNG with a bomb in its colour profile',
    png(1, 1, deflateSync(new Uint8Array(4)), chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), zeros(1536)]))),
  ),
  image(
    'a JPEG of 65,000 by 65,000 pixels',
    Uint8Array.from([
      0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0xfd, 0xe8, 0xfd, 0xe8, 3, 1, 17, 0, 2, 17, 0, 3, 17, 0, 0xff, 0xda, 0, 0,
    ]),
  ),
  image(
    'a WebP of 16,384 by 16,384 pixels',
    Uint8Array.from([
      ...ascii('RIFF'),
      ...le(4, 100),
      ...ascii('WEBPVP8L'),
      ...le(4, 88),
      0x2f,
      ...le(4, 2 ** 28 - 1),
      ...new Array(80).fill(0),
    ]),
  ),
  image('a bitmap of 60,000 by 60,000 pixels', Uint8Array.from(ascii('P1 60000 60000\n1'))),
  image(
    'a JPEG 2000 of 8,000 by 8,000 pixels',
    Uint8Array.from([
      0xff,
      0x4f,
      0xff,
      0x51,
      0,
      41,
      0,
      0,
      ...u32(8000),
      ...u32(8000),
      ...u32(0),
      ...u32(0),
      ...u32(8000),
      ...u32(8000),
      ...u32(0),
      ...u32(0),
      0,
      1,
      7,
      1,
      1,
    ]),
  ),
  image('a TIFF of 100,000 by 100,000 pixels', tiff(100_000, 100_000, 1, new Uint8Array(8))),
  image('a TIFF of one pixel and 1.5 GiB of zeros', tiff(1, 1, 8, zeros(1536))),
  image('a TIFF of one pixel and LZW codes for a gigabyte', tiff(1, 1, 5, lzwBomb(150))),
];
