import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ModelProto, TypeProto } from '../build/onnx.js';
import type { ValueType } from '../src/graph/types.js';
import { readValue } from '../src/model/read-values.js';
import type { HostValue } from '../src/tensor/tensor-value.js';

export type Values = Readonly<Record<string, HostValue>>;

function kindOf({ sequenceType, optionalType, mapType, sparseTensorType }: TypeProto): ValueType['kind'] {
  if (sequenceType) return 'sequence';
  if (optionalType) return 'optional';
  return mapType ? 'map' : sparseTensorType ? 'sparse' : 'tensor';
}

/** The inputs or outputs of the first data set beside a model, as far as it has them. */
export function firstDataSet(path: string, { graph }: ModelProto, kind: 'input' | 'output'): Values {
  const read = (graph?.[kind] ?? []).flatMap(({ name, type }, i): [string, HostValue][] => {
    const file = join(dirname(path), 'test_data_set_0', `${kind}_${i}.pb`);
    return existsSync(file) ? [[name, readValue(readFileSync(file), kindOf(type as TypeProto))]] : [];
  });
  return Object.fromEntries(read);
}
