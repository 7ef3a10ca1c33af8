// One token of SmolLM2-135M, layer after layer: three query heads share each head of keys and values.
import { CachedAttentionPart, CachedAttentionTile, CacheStorage } from '../../build/quantized-kernels.js';
import { type Case, ceilDiv, type Engine, floats, launching } from './measure.js';

const [GROUP, SHARED, SIZE] = [3, 3, 64];

/** Storage type, row stride, bytes of a row, and a function that allocates and fills elements. */
const STORAGES = {
  float32: { storage: CacheStorage.Float32, stride: SIZE, bytes: 4 * SIZE, fill: floats },
  float16: { storage: CacheStorage.Float16, stride: SIZE, bytes: 2 * SIZE, fill: halves },
  int8: { storage: CacheStorage.Int8, stride: SIZE + 4, bytes: SIZE + 4, fill: rowsOfBytes },
};

/** Float16 values around 1. */
function halves(engine: Engine, count: number): number {
  const at = engine.allocate(2 * count);
  for (let i = 0; i < count; i++)
    new DataView(engine.u8.buffer).setUint16(at + 2 * i, 0x3800 + ((i * 7919) % 1024), true);
  return at;
}

function rowsOfBytes(engine: Engine, count: number): number {
  const at = engine.allocate(count);
  for (let i = 0; i < count; i++) engine.u8[at + i] = (i * 7919) % 251;
  for (let row = at + SIZE; row < at + count; row += SIZE + 4) engine.f32[row / 4] = 0.01;
  return at;
}

function token(type: keyof typeof STORAGES, keys: number, layers: number): Case {
  const { storage, stride, bytes, fill } = STORAGES[type];
  const [heads, elements] = [GROUP * SHARED, SHARED * keys * stride];
  return {
    name: `cached attention ${keys} ${type} keys, ${layers} layers`,
    flops: layers * 4 * heads * keys * SIZE,
    bytes: layers * 2 * SHARED * keys * bytes,
    prepare(engine) {
      const params = {
        ...{ q: floats(engine, heads * SIZE), y: floats(engine, heads * SIZE), mask: 0, keyLengths: 0, sinks: 0 },
        ...{ storage, batch: 1, heads, kvHeads: SHARED, queryLength: 1, keyLength: keys, headSize: SIZE },
        ...{ valueSize: SIZE, qBatchStride: 0, qHeadStride: SIZE, qRowStride: heads * SIZE },
        ...{ kBatchStride: 0, kHeadStride: keys * stride, kRowStride: stride },
        ...{ vBatchStride: 0, vHeadStride: keys * stride, vRowStride: stride },
        ...{ yBatchStride: 0, yHeadStride: SIZE, yRowStride: heads * SIZE },
        ...{ maskBatchStride: 0, maskHeadStride: 0, maskRowStride: 0, maskColumnStride: 0 },
        ...{ causal: 1, causalOffset: keys - 1, window: 0, scale: 1 / Math.sqrt(SIZE), softcap: 0 },
      };
      const splits = ceilDiv(keys, CachedAttentionTile.Keys);
      const partBytes = GROUP * (CachedAttentionPart.Values + 4 * SIZE);
      const parts = floats(engine, (SHARED * splits * partBytes) / 4);
      return launching(
        engine,
        Array.from({ length: layers }, () => {
          const layer = { ...params, k: fill(engine, elements), v: fill(engine, elements), parts, splits };
          const joined = { kernel: 'joinParts' as const, params: layer, tiles: SHARED };
          return [
            { kernel: 'cachedAttention' as const, params: layer, tiles: SHARED * splits },
            ...(splits > 1 ? [joined] : []),
          ];
        }).flat(),
      );
    },
  };
}

export const cases: Case[] = (['float32', 'float16', 'int8'] as const).flatMap((type) => [
  token(type, 128, 30),
  token(type, 4096, 1),
  token(type, 4096, 30),
]);
