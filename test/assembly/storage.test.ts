import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StorageName } from '../../bindings/elementwise.js';
import { runChain, type Typed } from './chains.js';
import { freshEngine, variants } from './kernels.js';

const STORED: [StorageName, (x: number[]) => Typed, decode: (v: number) => number][] = [
  ['Float32', (x) => Float32Array.from(x), (v) => v],
  ['Float64', (x) => Float64Array.from(x), (v) => v],
  ['Int8', (x) => Int8Array.from(x), (v) => v],
  ['Int16', (x) => Int16Array.from(x), (v) => v],
  ['Int32', (x) => Int32Array.from(x), (v) => v],
  ['Int64', (x) => BigInt64Array.from(x.map(BigInt)), (v) => v],
  ['Uint8', (x) => Uint8Array.from(x.map(Math.abs)), Math.abs],
  ['Uint16', (x) => Uint16Array.from(x.map(Math.abs)), Math.abs],
  ['Uint32', (x) => Uint32Array.from(x.map(Math.abs)), Math.abs],
  ['Uint64', (x) => BigUint64Array.from(x.map((v) => BigInt(Math.abs(v)))), Math.abs],
  ['Bool', (x) => Uint8Array.from(x.map((v) => (v ? 1 : 0))), (v) => (v ? 1 : 0)],
];

for (const variant of variants) {
  const test = suite(`storage (${variant})`);

  for (const register of ['F32', 'F64', 'I32', 'I64'] as const) {
    test(`loads and stores every storage through ${register}`, () => {
      const engine = freshEngine(variant);
      const x = Array.from({ length: 1031 }, (_, i) => (i % 255) - 127);
      for (const [source, encode, decodeSource] of STORED) {
        for (const [target, , decodeTarget] of STORED) {
          const [y] = runChain(engine, {
            register,
            dims: [x.length],
            operands: [{ storage: source, strides: [1], data: encode(x) }],
            instructions: decodeTarget(-1) < 0 ? [] : [{ op: 'Abs', args: [0] }],
            outputs: [{ storage: target, value: decodeTarget(-1) < 0 ? 0 : 1 }],
          });
          for (const [i, v] of x.entries())
            assert.is(Number(y?.[i]), decodeTarget(decodeSource(v)), `${source} ${v} to ${target}`);
        }
      }
    });
  }

  test('Cast truncates, saturates into int32, and takes NaN for true', () => {
    const engine = freshEngine(variant);
    const data = Float32Array.from([1.9, -1.9, 0.5, Number.NaN, 3e9, -3e9, -0]);
    const cast = (storage: StorageName) => [
      ...(runChain(engine, {
        register: 'F32',
        dims: [7],
        operands: [{ storage: 'Float32', strides: [1], data }],
        instructions: [],
        outputs: [{ storage, value: 0 }],
      })[0] as Int32Array),
    ];
    assert.equal(cast('Int32'), [1, -1, 0, 0, 2 ** 31 - 1, -(2 ** 31), 0]);
    assert.equal(cast('Bool'), [1, 1, 1, 1, 1, 1, 0]);
    assert.equal(cast('Int64') as unknown, [1n, -1n, 0n, 0n, 3000000000n, -3000000000n, 0n]);
    assert.equal(cast('Int8').slice(0, 4), [1, -1, 0, 0]);
  });

  test('numbers that i32 does not hold stand among those that it does', () => {
    const engine = freshEngine(variant);
    const x = Array.from({ length: 43 }, (_, i) => (i % 11 === 5 ? 2 ** 31 * (i - 20) : 7.75 * (i - 20)));
    const cast = (from: StorageName, data: Typed, to: StorageName) =>
      runChain(engine, {
        register: 'F32',
        dims: [x.length],
        operands: [{ storage: from, strides: [1], data }],
        instructions: [{ op: 'Copy', args: [0] }],
        outputs: [{ storage: to, value: 1 }],
      })[0] as Typed;
    const longs = x.map((v) => BigInt(Math.trunc(v)));
    const floats = Float32Array.from(x);
    assert.equal([...(cast('Float32', floats, 'Int64') as unknown as BigInt64Array)], longs);
    assert.equal([...(cast('Int64', BigInt64Array.from(longs), 'Float32') as Float32Array)], x.map(Math.trunc));
    for (const [to, bits] of [
      ['Uint8', 8],
      ['Int16', 16],
      ['Int8', 8],
    ] as const) {
      const low = longs.map((v) => Number(to === 'Uint8' ? BigInt.asUintN(bits, v) : BigInt.asIntN(bits, v)));
      assert.equal([...(cast('Float32', floats, to) as Int8Array)], low);
    }
    assert.equal(
      [...(cast('Float32', floats, 'Bool') as Uint8Array)],
      x.map((v) => (v === 0 ? 0 : 1)),
    );
  });

  test('float16 and bfloat16: every float16 survives, rounding is to nearest even', () => {
    const engine = freshEngine(variant);
    const cast = (from: StorageName, data: ArrayBufferView & { length: number }, to: StorageName) =>
      runChain(engine, {
        register: 'F32',
        dims: [data.length],
        operands: [{ storage: from, strides: [1], data }],
        instructions: [],
        outputs: [{ storage: to, value: 0 }],
      })[0] as Typed;
    const halves = Uint16Array.from({ length: 65536 }, (_, i) => i);
    const floats = cast('Float16', halves, 'Float32') as Typed as Float32Array;
    for (let h = 0; h < 0x7c00; h++) {
      const exponent = h >> 10;
      const expected = exponent ? (1024 + (h & 1023)) * 2 ** (exponent - 25) : (h & 1023) * 2 ** -24;
      assert.is(floats[h], expected);
      assert.is(floats[h | 0x8000], -expected);
    }
    assert.is(floats[0x7c00], Infinity);
    assert.ok(Number.isNaN(floats[0x7e00]));
    const back = cast('Float32', floats, 'Float16');
    for (const [i, f] of floats.entries()) if (!Number.isNaN(f)) assert.is(back[i], i);
    const ties = Float32Array.from([65519, 65520, 2049, 2051, 2 ** -25, 2 ** -25 * 1.01, 2 ** -24 * 1.5, -1e-9]);
    assert.equal([...cast('Float32', ties, 'Float16')], [0x7bff, 0x7c00, 0x6800, 0x6802, 0, 1, 2, 0x8000]);
    const brain = Float32Array.from([1, 1 + 2 ** -8, 1 + 3 * 2 ** -8, -3.4e38]);
    assert.equal([...cast('Float32', brain, 'BFloat16')], [0x3f80, 0x3f80, 0x3f82, 0xff80]);
    const raw = Uint16Array.from([0x3f80, 0xc040]);
    assert.equal([...cast('BFloat16', raw, 'Float32')], [1, -3]);
  });

  test.run();
}
