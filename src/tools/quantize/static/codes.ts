import type { TensorProto } from '../../../../build/onnx.js';
import { withFields } from '../../../model/document/changed.js';
import { MadeBytes, newBytes, type Take, takingTurns } from '../../../model/document/left-bytes.js';
import type { Model } from '../../../model/document/model.js';
import { isPacked, pack } from '../../../tensor/packed.js';
import { floatsOf, tensorOf } from '../tensor-data.js';
import { ARRAYS, WHOLE } from './integers.js';
import type { Codes, Levels } from './levels.js';

/** An integer tensor. The codes are converted to the array of the type. */
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

/** The default number of bytes of codes to keep in memory. */
const HOLD = 2 ** 28;

/** The quantized form of a weight. */
export interface Form {
  readonly type: Levels['type'];
  readonly dims: readonly number[];
  /** Computes the codes, into memory from `take` if given. */
  codes(values: Float32Array, take?: Take): Codes;
}

/** Makes quantized weights. Those beyond the memory limit are computed when they are read; only the latest is kept. */
export interface CodeStore {
  made(name: string, weight: TensorProto, form: Form, values: Float32Array): TensorProto;
}

export function codeStore(model: Model, hold = HOLD): CodeStore {
  let held = 0;
  let latest: { readonly form: Form; readonly bytes: Promise<Uint8Array> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const [floats, integers] = [takingTurns(1), takingTurns(2)];
  const bytesOf = async (weight: TensorProto, { type, codes }: Form): Promise<Uint8Array> =>
    integerTensor('', type, [], codes(await floatsOf(model, weight, floats), integers)).rawData;
  const again = (weight: TensorProto, form: Form): Promise<Uint8Array> => {
    if (latest?.form !== form) {
      latest = { form, bytes: last.then(() => bytesOf(weight, form)) };
      last = latest.bytes.catch(() => {});
    }
    return latest.bytes;
  };
  return {
    made(name, weight, form, values) {
      const { type, dims, codes } = form;
      const bits = Math.log2(WHOLE[type][1] - WHOLE[type][0] + 1);
      const size = Math.ceil((values.length * bits) / 8);
      held += size;
      if (held <= hold) return integerTensor(name, type, dims, codes(values));
      const range = async (begin: number, end: number, take: Take = newBytes) => {
        const made = await again(weight, form);
        const bytes = take(end - begin);
        bytes.set(made.subarray(begin, end));
        return bytes;
      };
      return withFields(integerTensor(name, type, dims, new ARRAYS[type](0)), { rawData: new MadeBytes(size, range) });
    },
  };
}
