import type { ValueInfoProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../model/document/model.js';
import { typesOf } from '../infer/index.js';
import { declaredIn, infoOf } from './declared.js';
import { graphOf } from './refuse.js';
import { typeProto } from './types.js';

/** Declarations of values as inputs or outputs, with their declared or inferred types. */
export async function borderOf(model: Model, names: readonly string[]): Promise<ValueInfoProto[]> {
  const graph = graphOf(model);
  const declared = declaredIn(graph);
  const inferred = names.every((name) => declared.has(name)) ? undefined : await typesOf(model);
  return names.map((name) => {
    const type = inferred?.get(name);
    const info = declared.get(name) ?? (type && infoOf(name, typeProto(type)));
    if (info) return info;
    throw new SardonyxError(
      'INVALID_TYPE',
      'the type is unknown and cannot be inferred, but inputs and outputs need one; add it to value_info',
      { value: name },
    );
  });
}
