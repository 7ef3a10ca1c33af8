import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Grid, type Method, restored } from '../../../src/tools/quantize/weights/blocks.js';
import { halfQuadratic } from '../../../src/tools/quantize/weights/hqq.js';
import { kQuant } from '../../../src/tools/quantize/weights/k-quant.js';
import { roundFromZero } from '../../../src/tools/quantize/weights/round-from-zero.js';
import { roundToNearest } from '../../../src/tools/quantize/weights/round-to-nearest.js';

const test = suite('blocks of weights');

const METHODS: Readonly<Record<string, Method>> = {
  rtn: roundToNearest,
  default: roundFromZero,
  kquant: kQuant,
  hqq: halfQuadratic,
};

interface Case extends Grid {
  readonly method: string;
  readonly codes: string;
  readonly scales: string;
  readonly zeros?: string;
}

interface Witness {
  readonly k: number;
  readonly n: number;
  readonly weight: string;
  readonly cases: readonly Case[];
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
const floats = (text: string) => new Float32Array(bytes(text).buffer);
const witness = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Witness;

/** The columns of the weight, filled up with zeros. */
function columns({ k, n, weight }: Witness, block: number): Float32Array {
  const [w, room] = [floats(weight), Math.ceil(k / block) * block];
  return Float32Array.from({ length: n * room }, (_, i) =>
    i % room < k ? (w[(i % room) * n + Math.floor(i / room)] as number) : 0,
  );
}

/** Without what fills columns up, where onnxruntime has 0 or the zero point. */
const kept = (codes: Uint8Array, k: number, n: number) => codes.filter((_, i) => i % (codes.length / n) < k);

const titled = ({ method, bits, block, symmetric }: Case) =>
  `${method}, ${bits} bits by ${block}${symmetric ? ', symmetric' : ''}`;

const NUMPY = witness('blocks.json');
for (const given of NUMPY.cases)
  test(`${titled(given)}: scales, zero points and integers are onnxruntime's`, () => {
    const { codes, scales, zeros } = (METHODS[given.method] as Method)(columns(NUMPY, given.block), given);
    assert.equal(scales, floats(given.scales));
    assert.equal(kept(codes, NUMPY.k, NUMPY.n), kept(bytes(given.codes), NUMPY.k, NUMPY.n));
    assert.equal(zeros, given.zeros && bytes(given.zeros));
  });

/** Zero points are means of a block, which torch adds up in an order that goes by the processor: half a unit in each of 20 rounds. */
const LOOSE = 20 * 2 ** -24;

const TORCH = witness('hqq.json');
for (const given of TORCH.cases)
  test(`${titled(given)}: scales and integers are onnxruntime's, and zero points but for the order of a sum`, () => {
    const { codes, scales, zeros } = halfQuadratic(columns(TORCH, given.block), given);
    assert.equal(scales, floats(given.scales));
    assert.equal(codes, bytes(given.codes));
    const expected = floats(given.zeros as string);
    assert.is(zeros?.length, expected.length);
    const far = expected.filter((z, i) => !(Math.abs(z - (zeros?.[i] as number)) <= LOOSE * 2 ** given.bits));
    assert.equal(far, new Float32Array());
  });

test('no number is further from its code than half a step', () => {
  const values = columns(NUMPY, 16);
  for (const bits of [2, 4, 8] as const) {
    const grid = { bits, block: 16, symmetric: true };
    const found = roundToNearest(values, grid);
    restored(found, grid).forEach((x, i) => {
      const step = found.scales[Math.floor(i / 16)] as number;
      assert.ok(
        Math.abs(x - (values[i] as number)) <= 0.5 * step + 2 ** -22 * Math.abs(x),
        `${bits} bits, ${i}: ${x} for ${values[i]}`,
      );
    });
  }
});

test.run();
