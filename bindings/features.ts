export type Variant = 'simd' | 'relaxed';

// (module (func (result v128) f32x4.relaxed_madd of three zero vectors))
const RELAXED_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0, 65, 0, 253, 15, 65, 0, 253, 15, 65,
  0, 253, 15, 253, 133, 2, 11,
]);

// (module (func (result v128) i8x16.splat of zero))
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

export const hasSimd = (): boolean => WebAssembly.validate(SIMD_PROBE);

/** The fastest variant that this engine can run; validates a tiny module, and compiles nothing. */
export function bestVariant(): Variant {
  return WebAssembly.validate(RELAXED_PROBE) ? 'relaxed' : 'simd';
}
