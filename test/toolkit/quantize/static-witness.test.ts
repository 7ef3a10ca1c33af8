import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NodeProto, TensorProto } from '../../../build/onnx.js';
import { readTensor } from '../../../src/model/tensors.js';
import { entriesOf } from '../../../src/tensor/packed.js';
import { bytesOf } from '../../../src/tensor/stored-tensor.js';
import {
  loadModel,
  type Model,
  type QuantizeStaticOptions,
  quantizeStatic,
  type Ranges,
} from '../../../src/tools/index.js';
import { sharedModel } from '../../shared-data.js';
import { sampled } from '../../tier.js';
import { checked, loaded } from './runs.js';

const test = sampled(suite('quantised ahead, as onnxruntime does it'), { quick: 1 / 4 });

interface Case {
  readonly model: string;
  readonly options: QuantizeStaticOptions;
  /** Digests of operators and the constants that they read. */
  readonly operators: string;
}

const { cases } = JSON.parse(readFileSync(new URL('static.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};

/** Any range, by the name of a value. */
function givenRange(name: string): Ranges['values'][string] {
  const seed = crc32(name);
  return { lowest: -(1 + (seed & 65535) / 65536), highest: Math.fround(1 + (seed >>> 16) / 65536) };
}

function givenRanges({ proto }: Model): Ranges {
  const names = proto.graph?.node.flatMap(({ input, output }) => [...input, ...output]) ?? [];
  return { method: 'minmax', values: Object.fromEntries(names.map((name) => [name, givenRange(name)])) };
}

/** A tensor as numpy writes it down. */
function written(tensor: TensorProto): Uint8Array {
  const value = readTensor(tensor);
  const entries = entriesOf(value) as Uint8Array;
  return value.type.endsWith('int4')
    ? new Uint8Array(entries.buffer, entries.byteOffset, entries.length)
    : bytesOf(value);
}

function told({ opType, input }: NodeProto, constants: ReadonlyMap<string, TensorProto>): string {
  const hash = createHash('sha256').update(opType);
  for (const name of input) {
    const constant = constants.get(name);
    if (constant) hash.update(` ${readTensor(constant).type} `).update(written(constant));
    else hash.update(' -');
  }
  return hash.digest('hex').slice(0, 6);
}

const isMade = ({ opType }: NodeProto) => /^(Q|Dequantize)/.test(opType);

for (const { model: name, options, operators } of cases) {
  const folder = sharedModel(name);
  if (!folder) continue;
  const path = join(folder, 'model.onnx');
  test(`${name} ${Object.values(options).join(' ')}: scales, zero points, integers`, async () => {
    const model = await loadModel(path);
    const bytes = await checked(await quantizeStatic(model, givenRanges(model), options));
    const { node = [], initializer = [] } = (await loaded(bytes)).proto.graph ?? {};
    const constants = new Map(initializer.map((tensor) => [tensor.name, tensor as TensorProto]));
    const made = node.filter(isMade).map((n) => told(n as NodeProto, constants));
    assert.equal(made.sort(), operators.split(' '));
  });
}

test.run();
