const CODES: readonly unknown[] = ['UNSUPPORTED_OPERATOR', 'UNSUPPORTED_TYPE', 'UNSUPPORTED_PLATFORM'];

/** How onnxruntime 1.30 says that it lacks an operator, a version of one, an opset, a type, or values that are no tensors. */
const REFUSALS = [
  /not supported|unsupported|not implemented|not_implemented/i,
  /Could not find an implementation for/,
  /is not a registered function\/op/,
  /only \*guarantees\* support for/,
  /invalid data location: undefined for input|Tensor\.dims must be an array/,
];

/** Whether an error says that the runtime does not support what it was given, in contrast to one that went wrong. */
export function isRefusal(error: unknown): boolean {
  const { name, code, message } = (error ?? {}) as Partial<Record<'name' | 'code' | 'message', unknown>>;
  return name === 'SardonyxError' ? CODES.includes(code) : REFUSALS.some((pattern) => pattern.test(String(message)));
}
