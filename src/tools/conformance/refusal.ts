const CODES: readonly unknown[] = ['UNSUPPORTED_OPERATOR', 'UNSUPPORTED_TYPE', 'UNSUPPORTED_PLATFORM'];

/** Messages of onnxruntime 1.30 for unsupported operators, versions, opsets, types and non-tensor values. */
const REFUSALS = [
  /not supported|unsupported|not implemented|not_implemented/i,
  /Could not find an implementation for/,
  /is not a registered function\/op/,
  /only \*guarantees\* support for/,
  /invalid data location: undefined for input|Tensor\.dims must be an array/,
];

/** Whether an error reports missing support rather than a failure. */
export function isRefusal(error: unknown): boolean {
  const { name, code, message } = (error ?? {}) as Partial<Record<'name' | 'code' | 'message', unknown>>;
  return name === 'SardonyxError' ? CODES.includes(code) : REFUSALS.some((pattern) => pattern.test(String(message)));
}
