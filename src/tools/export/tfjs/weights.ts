import { isFloat } from '../../../tensor/element-types.js';
import { numbersOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { WeightSpec } from '../../import/tfjs/artifacts.js';
import { refuse } from '../../import/tfjs/draft.js';
import type { NodeDef } from '../../import/tfjs/graph-def.js';
import { typeName } from './emissions.js';

const LEAST = -(2 ** 31);
const MOST = 2 ** 31 - 1;
const SMALL = 32;

/** Names in use, and the data of constants. Small equal constants are stored once. */
export class Weights {
  readonly nodes: NodeDef[] = [];
  readonly specs: WeightSpec[] = [];
  readonly parts: Uint8Array[] = [];
  readonly #taken = new Set<string>();
  readonly #known = new Map<string, string>();

  /** A unique name of characters that TensorFlow accepts. */
  name(wanted: string): string {
    const plain = wanted.replace(/[^A-Za-z0-9_./-]+/g, '_').replace(/^[^A-Za-z0-9.]+/, '') || 'value';
    let name = plain;
    for (let n = 1; this.#taken.has(name); n++) name = `${plain}_${n}`;
    this.#taken.add(name);
    return name;
  }

  add(tensor: TensorValue, wanted: string): string {
    const { type, dims } = tensor;
    if (type === 'string' || /complex/.test(type))
      return refuse(`TensorFlow.js does not support constants of type ${type}`);
    const key =
      tensor.data.length <= SMALL ? `${type} ${dims} ${Array.from(tensor.data as ArrayLike<unknown>)}` : undefined;
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known !== undefined) return known;
    const name = this.name(wanted);
    if (key !== undefined) this.#known.set(key, name);
    const dtype = isFloat(type) ? 'float32' : type === 'bool' ? 'bool' : 'int32';
    const data = stored(dtype, numbersOf(tensor));
    this.nodes.push({ name, op: 'Const', attr: { dtype: { type: typeName(type) } } });
    this.specs.push({ name, shape: [...dims], dtype });
    this.parts.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return name;
  }
}

/** The stored data. Integers saturate at 32 bits, as ONNX uses larger ones for the end of a slice. */
function stored(dtype: string, numbers: ArrayLike<number>): Float32Array | Int32Array | Uint8Array {
  if (dtype === 'float32') return Float32Array.from(numbers);
  if (dtype === 'bool') return Uint8Array.from(numbers);
  return Int32Array.from(numbers, (x) => Math.max(LEAST, Math.min(x, MOST)));
}
