import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Value } from '../../src/graph/graph.js';
import { printModel } from '../../src/graph/print.js';
import { verifyModel } from '../../src/graph/verify.js';
import { readModel } from '../../src/model/read-model.js';
import { readValue } from '../../src/model/read-values.js';
import { writeModel } from '../../src/model/write-model.js';
import { shared } from '../shared-data.js';

const test = suite('all models at hand');

const FOLDERS = (['node', 'simple', 'pytorch-converted', 'pytorch-operator'] as const).map(
  (name) => `onnx-backend-tests/${name}` as const,
);

function* cases(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (existsSync(join(path, 'model.onnx'))) yield path;
  }
}

/** The files of `input_3.pb`'s kind, each with the value that it is for. */
function readData(path: string, which: 'input' | 'output', values: readonly Value[]): void {
  for (const set of readdirSync(path).filter((name) => name.startsWith('test_data_set_')))
    for (const file of readdirSync(join(path, set)).filter((name) => name.startsWith(which))) {
      const value = values[Number(/\d+/.exec(file)?.[0])];
      assert.ok(value, `${path}: ${file} is for no ${which}`);
      readValue(readFileSync(join(path, set, file)), value.type?.kind);
    }
}

for (const name of [...FOLDERS, 'models'] as const) {
  const folder = shared(name);
  test(`${name}: every model is read, verified and survives writing, every value is read`, () => {
    let count = 0;
    for (const path of cases(folder)) {
      const model = readModel(readFileSync(join(path, 'model.onnx')));
      verifyModel(model);
      assert.is(printModel(readModel(writeModel(model))), printModel(model), path);
      readData(path, 'input', model.graph.inputs);
      readData(path, 'output', model.graph.outputs);
      count++;
    }
    assert.ok(count > 0);
  });
}

test.run();
