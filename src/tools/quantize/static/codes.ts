import type { TensorProto } from '../../../../build/onnx.js';
import { withFields } from '../../../model/document/changed.js';
import { LeftBytes } from '../../../model/document/left-bytes.js';
import { isPacked, pack } from '../../../tensor/packed.js';
import { dimsOf, tensorOf } from '../tensor-data.js';
import { ARRAYS, WHOLE } from './integers.js';
import { type Codes, type Levels, quantized } from './levels.js';

/** A tensor of integers, each in an array of its own type. */
export const integerTensor = (
  name: string,
  type: Levels['type'] | 'int32',
  dims: readonly number[],
  codes: Codes | Int32Array,
): TensorProto => tensorOf(name, type, dims, stored(type, codes));

function stored(type: Levels['type'] | 'int32', codes: Codes | Int32Array): Codes | Int32Array {
  if (type === 'int32' || codes instanceof ARRAYS[type]) return isPacked(type) ? (pack(type, codes) as Codes) : codes;
  return stored(
    type,
    new ARRAYS[type](codes.length).map((_, i) => codes[i] as number),
  );
}

/** How many bytes of codes are held in memory where nothing is said. */
const HOLD = 2 ** 28;

/** Makes weights of integers; those beyond what is held are made when they are read, and kept until others are. */
export interface CodeStore {
  made(name: string, weight: TensorProto, levels: Levels, values: Float32Array): TensorProto;
}

export function codeStore(read: (weight: TensorProto) => Promise<Float32Array>, hold = HOLD): CodeStore {
  let held = 0;
  let latest: { readonly weight: TensorProto; readonly bytes: Promise<Uint8Array> } | undefined;
  const bytesOf = async (weight: TensorProto, levels: Levels): Promise<Uint8Array> =>
    integerTensor('', levels.type, [], quantized(await read(weight), dimsOf(weight), levels)).rawData;
  const again = (weight: TensorProto, levels: Levels): Promise<Uint8Array> => {
    if (latest?.weight !== weight) latest = { weight, bytes: bytesOf(weight, levels) };
    return latest.bytes;
  };
  return {
    made(name, weight, levels, values) {
      const bits = Math.log2(WHOLE[levels.type][1] - WHOLE[levels.type][0] + 1);
      const size = Math.ceil((values.length * bits) / 8);
      held += size;
      const dims = dimsOf(weight);
      if (held <= hold) return integerTensor(name, levels.type, dims, quantized(values, dims, levels));
      const range = async (begin: number, end: number) => (await again(weight, levels)).subarray(begin, end);
      return withFields(integerTensor(name, levels.type, dims, new ARRAYS[levels.type](0)), {
        rawData: new LeftBytes(size, range),
      });
    },
  };
}
