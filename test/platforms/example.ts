import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TensorProto } from '../../build/onnx.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { toNumber } from '../../src/model/int64.js';

interface Example {
  readonly model: Uint8Array;
  readonly input: NamedNumbers;
  readonly output: NamedNumbers;
}

interface NamedNumbers {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: readonly number[];
}

const SHARED = process.env.SARDONYX_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));

/** A trained network with a stored output; where it is absent, a layer that is easily computed by hand. */
export function example(): Example {
  const folder = join(SHARED, 'models/digits_cnn_trained');
  return existsSync(folder) ? digits(folder) : layer();
}

function digits(folder: string): Example {
  const read = (file: string) => readFileSync(join(folder, file));
  return {
    model: read('model.onnx'),
    input: numbersOf(read('test_data_set_0/input_0.pb')),
    output: numbersOf(read('test_data_set_0/output_0.pb')),
  };
}

function numbersOf(file: Uint8Array): NamedNumbers {
  const { name, dims, rawData, floatData } = TensorProto.decode(file);
  const data = rawData?.length ? Array.from(new Float32Array(Uint8Array.from(rawData).buffer)) : floatData;
  return { name: name as string, dims: dims.map(toNumber), data };
}

function layer(): Example {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['batch', 2]);
  const w = b.constant('w', tensor('float32', [2, 3], [1, 2, 3, -4, -5, -6]));
  b.output('y', b.op('Relu', [b.op('MatMul', [x, w])]));
  return {
    model: b.toBytes(),
    input: { name: 'x', dims: [2, 2], data: [3, 0.5, 1, 1] },
    output: { name: 'y', dims: [2, 3], data: [1, 3.5, 6, 0, 0, 0] },
  };
}
