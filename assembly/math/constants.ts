// Constants in inner loops are read from memory, `const HALF = memory.data<f32>([0.5])`, in one instruction: V8 needs three instructions to
// build a vector from an immediate, in every iteration.

/** The f32 or i32 at `constant` in all lanes. */
@inline
export function splat32(constant: usize): v128 {
  return v128.load32_splat(constant);
}

/** The f64 or i64 at `constant` in both lanes. */
@inline
export function splat64(constant: usize): v128 {
  return v128.load64_splat(constant);
}

export const ONE = memory.data<f32>([1], 4);
export const MINUS_ONE = memory.data<f32>([-1], 4);
export const HALF = memory.data<f32>([0.5], 4);
/** The exponent of 1 in an f32. */
export const BIAS = memory.data<i32>([127], 4);
