// asc transform: what is left of the standard library's exp, log and pow of float64 (assembly/math/float64.ts has others) takes no tables.
// It asks how small the whole program is to be, which must not change the kernels themselves.
import { Transform } from 'assemblyscript/transform';

export class MathWithoutTables extends Transform {
  afterInitialize({ elementsByName }) {
    const level = elementsByName.get('ASC_SHRINK_LEVEL');
    level.setConstantIntegerValue(globalThis.i64_one, level.type);
  }
}
