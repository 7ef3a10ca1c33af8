import {
  celu, elu, geluErf, geluTanh, hardSigmoid, hardSwish, mish, selu, silu, softplus,
} from '../math/activation';
import { erf } from '../math/erf';
import { exp } from '../math/exp';
import { log } from '../math/log';
import { pow } from '../math/pow';
import { sigmoid } from '../math/sigmoid';
import { cos, sin } from '../math/sincos';
import { tanh } from '../math/tanh';
import { Opcode } from './opcodes';

/** Runs one instruction over a block of f32, for transcendental operations in SIMD; false for any other `op`. */
export function functions(
  op: i32, y: usize, end: usize, a: usize, sa: usize, b: usize, sb: usize, alpha: f32, beta: f32,
): bool {
  switch (op) {
    case Opcode.Pow:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, pow(v128.load(a), v128.load(b)));
      return true;
    case Opcode.Exp:
      for (; y < end; y += 16, a += sa) v128.store(y, exp(v128.load(a)));
      return true;
    case Opcode.Log:
      for (; y < end; y += 16, a += sa) v128.store(y, log(v128.load(a)));
      return true;
    case Opcode.Erf:
      for (; y < end; y += 16, a += sa) v128.store(y, erf(v128.load(a)));
      return true;
    case Opcode.Tanh:
      for (; y < end; y += 16, a += sa) v128.store(y, tanh(v128.load(a)));
      return true;
    case Opcode.Sigmoid:
      for (; y < end; y += 16, a += sa) v128.store(y, sigmoid(v128.load(a)));
      return true;
    case Opcode.Silu:
      for (; y < end; y += 16, a += sa) v128.store(y, silu(v128.load(a)));
      return true;
    case Opcode.Softplus:
      for (; y < end; y += 16, a += sa) v128.store(y, softplus(v128.load(a)));
      return true;
    case Opcode.Elu:
      for (; y < end; y += 16, a += sa) v128.store(y, elu(v128.load(a), alpha));
      return true;
    case Opcode.Selu:
      for (; y < end; y += 16, a += sa) v128.store(y, selu(v128.load(a), alpha, beta));
      return true;
    case Opcode.Celu:
      for (; y < end; y += 16, a += sa) v128.store(y, celu(v128.load(a), alpha));
      return true;
    case Opcode.HardSigmoid:
      for (; y < end; y += 16, a += sa) v128.store(y, hardSigmoid(v128.load(a), alpha, beta));
      return true;
    case Opcode.HardSwish:
      for (; y < end; y += 16, a += sa) v128.store(y, hardSwish(v128.load(a)));
      return true;
    case Opcode.GeluErf:
      for (; y < end; y += 16, a += sa) v128.store(y, geluErf(v128.load(a)));
      return true;
    case Opcode.GeluTanh:
      for (; y < end; y += 16, a += sa) v128.store(y, geluTanh(v128.load(a)));
      return true;
    case Opcode.Mish:
      for (; y < end; y += 16, a += sa) v128.store(y, mish(v128.load(a)));
      return true;
    case Opcode.Sin:
      for (; y < end; y += 16, a += sa) v128.store(y, sin(v128.load(a)));
      return true;
    case Opcode.Cos:
      for (; y < end; y += 16, a += sa) v128.store(y, cos(v128.load(a)));
      return true;
  }
  return false;
}
