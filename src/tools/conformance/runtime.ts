import { version as ownVersion } from '../../../package.json';
import { isA } from '../../base/kind.js';
import { InferenceSession as OwnSession } from '../../session/inference-session.js';
import type { ElementType } from '../../tensor/element-types.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';

/**
 * A module with onnxruntime's interface: onnxruntime-web, onnxruntime-node, `sardonyx`, `sardonyx/onnxruntime`, or
 * another.
 */
export interface ConformanceRuntime {
  /** Creates sessions. */
  readonly InferenceSession: { create(model: Uint8Array, options?: object): Promise<ConformanceSession> };
  /** The tensor class. */
  readonly Tensor: new (
    type: never,
    data: never,
    dims: readonly number[],
  ) => unknown;
  /** The environment; its `versions` name the runtime. */
  readonly env?: unknown;
}

/** A session of the runtime. */
export interface ConformanceSession {
  /** Computes all outputs by name: tensors, or lists and maps of them. */
  run(feeds: never): Promise<unknown>;
  /** Frees the session. */
  release(): Promise<void>;
}

type TensorClass = new (type: string, data: unknown, dims: readonly number[]) => unknown;

/** Replaces plain tensors in a value by the runtime's own tensors. */
export function valueFor({ Tensor }: Pick<ConformanceRuntime, 'Tensor'>, value: HostValue): unknown {
  if (isTensorValue(value)) return tensorFor(Tensor as unknown as TensorClass, value);
  return Array.isArray(value) ? value.map((item) => valueFor({ Tensor }, item)) : value;
}

/** Creates the runtime's tensor. onnxruntime requires a Uint8Array for int4. */
function tensorFor(Tensor: TensorClass, { type, data, dims }: TensorValue): unknown {
  try {
    return new Tensor(type, data, dims);
  } catch (refusal) {
    if (type !== 'int4') throw refusal;
    const { buffer, byteOffset, length } = data as Int8Array;
    return new Tensor(type, new Uint8Array(buffer, byteOffset, length), dims);
  }
}

/** The typed arrays of element types for which runtimes may use another array type. */
const VIEWS: Partial<Record<ElementType, new (buffer: ArrayBuffer, offset: number, length: number) => unknown>> = {
  float16: Uint16Array,
  int4: Int8Array,
};

/** Converts a value of the runtime to plain data. */
export async function hostValueOf(given: unknown): Promise<HostValue> {
  if (Array.isArray(given)) return Promise.all(given.map(hostValueOf));
  if (isA(given, 'Map')) return given as HostValue;
  if (given === null || given === undefined) return null;
  if (!isTensorValue(given))
    throw new Error(`the runtime returned ${Object.prototype.toString.call(given)}, which is not an ONNX value`);
  const { type, dims } = given;
  const data = await elementsOf(given);
  const View = VIEWS[type];
  const seen = View && ArrayBuffer.isView(data) ? viewed(View, data as Uint8Array) : data;
  return { type, dims: [...dims], data: seen } as TensorValue;
}

const viewed = <A>(View: new (buffer: ArrayBuffer, offset: number, length: number) => A, data: Uint8Array): A =>
  new View(data.buffer as ArrayBuffer, data.byteOffset, data.length);

/** The elements of a tensor; downloads those of a tensor on a GPU. */
const elementsOf = (tensor: TensorValue & { location?: string; getData?(): Promise<unknown> }): unknown =>
  tensor.location?.startsWith('cpu') === false ? tensor.getData?.() : tensor.data;

/** The name that the module reports, and its version. */
export function nameOfRuntime({ env, InferenceSession }: ConformanceRuntime): string {
  const versions = (env as { versions?: Readonly<Record<string, string>> } | undefined)?.versions ?? {};
  const [own] = Object.entries(versions).filter(([name]) => name !== 'common');
  if (!own) return InferenceSession === OwnSession ? `sardonyx ${ownVersion}` : 'unknown runtime';
  const [name, version] = own;
  return `${name === 'sardonyx' ? name : `onnxruntime-${name}`} ${version}`;
}
