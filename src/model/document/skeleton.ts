import { ModelProto, type TensorProto } from '../../../build/onnx.js';
import type { ByteRange } from '../external-ranges.js';
import {
  type Cursor,
  cursorAtStart,
  GRAPH,
  INITIALIZER,
  leave,
  MIN_LEFT_BYTES,
  message,
  RAW_DATA,
  type Skeleton,
  type Step,
} from '../skeleton.js';
import { decodeExactly } from './decode.js';
import { type LeftFile, rangeOf } from './left-bytes.js';
import { located } from './located.js';

/** Ranges of large raw data, by the index of the constant in the graph. */
type Left = Map<number, ByteRange>;

/** A model file without its large raw data. */
function skeletonOf(cursor: Cursor, size: number, left: Left): Skeleton {
  let constants = 0;
  const tensor = (end: number) => {
    const index = constants++;
    return message(cursor, end, (field, fieldEnd) => {
      const { offset } = cursor;
      const length = fieldEnd - offset;
      if (field !== RAW_DATA || length < MIN_LEFT_BYTES) return undefined;
      left.set(index, { offset, length });
      return leave(cursor, length);
    });
  };
  const graph = (end: number) =>
    message(cursor, end, (field, fieldEnd) => (field === INITIALIZER ? tensor(fieldEnd) : undefined));
  return message(cursor, size, (field, end) => (field === GRAPH ? graph(end) : undefined));
}

/** Reads the message in a file, and leaves large weights there. Throws INVALID_MODEL if it is not a model. */
export async function decodeFile(file: LeftFile, name: string): Promise<ModelProto> {
  const left: Left = new Map();
  const cursor = cursorAtStart();
  const proto = await decoded(file, skeletonOf(cursor, file.size, left)).catch(async (cause) => {
    throw await located(cause, file, name, cursor.reach);
  });
  for (const [index, { offset, length }] of left) {
    const tensor = proto.graph?.initializer[index] as TensorProto;
    if (!Object.hasOwn(tensor, 'rawData')) tensor.rawData = rangeOf(file, offset, length);
  }
  return proto;
}

const decoded = async (file: LeftFile, skeleton: Skeleton): Promise<ModelProto> =>
  decodeExactly(ModelProto, await answered(skeleton, file), 'ONNX model');

/** Size of a window. Each read of a Blob takes 0.7 ms; a megabyte takes 1.5 ms. */
const WINDOW = 2 ** 20;
const NOTHING = new Uint8Array();

/** Answers the skeleton's steps from a file, read forward a window at a time. */
async function answered(skeleton: Skeleton, file: LeftFile): Promise<Uint8Array> {
  let start = 0;
  let window: Uint8Array = NOTHING;
  let at = 0;
  const take = (length: number): Uint8Array | Promise<Uint8Array> => {
    const end = Math.min(at + length, file.size);
    const from = at - start;
    at = end;
    if (from >= 0 && end - start <= window.length) return window.slice(from, end - start);
    if (length >= WINDOW) return file.range(end - length, end);
    return refill(end - Math.min(length, end), end);
  };
  const refill = async (begin: number, end: number) => {
    start = begin;
    window = await file.range(begin, Math.min(begin + WINDOW, file.size));
    return window.slice(0, end - begin);
  };
  let step: IteratorResult<Step, Uint8Array> = skeleton.next();
  while (!step.done) {
    const { value } = step;
    if ('leave' in value) {
      at += value.leave;
      step = skeleton.next(NOTHING);
      continue;
    }
    const bytes = take(value.take);
    step = skeleton.next(bytes instanceof Uint8Array ? bytes : await bytes);
  }
  return step.value;
}
