import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ElementType } from '../../src/tensor/element-types.js';
import { minifloatValues, toMinifloat } from '../../src/tensor/minifloat.js';

const test = suite('floats of up to 8 bits');

const FORMATS: [type: ElementType, codes: number][] = [
  ['float8e4m3fn', 256],
  ['float8e4m3fnuz', 256],
  ['float8e5m2', 256],
  ['float8e5m2fnuz', 256],
  ['float4e2m1', 16],
];

for (const [type, codes] of FORMATS) {
  test(`every finite value of ${type} keeps its code`, () => {
    const values = minifloatValues(type);
    for (let code = 0; code < codes; code++) {
      const value = values[code] as number;
      if (Number.isFinite(value)) assert.is(toMinifloat(type, value, true, 'up'), code, `${value}`);
    }
  });
}

test.run();
