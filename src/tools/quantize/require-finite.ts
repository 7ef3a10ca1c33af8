import { SardonyxError } from '../../base/errors.js';

/** The exponent bits of infinity and NaN. */
const NOT_FINITE = 0x7f800000;

/**
 * Checks the values of a weight.
 * @throws SardonyxError INVALID_MODEL if a value is infinite or NaN
 */
export function requireFinite(name: string, values: Float32Array): void {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  for (let i = 0; i < bits.length; i++) if (((bits[i] as number) & NOT_FINITE) === NOT_FINITE) refuse(name, values[i]);
}

function refuse(name: string, number: number | undefined): never {
  const message = `the weight contains ${number} and cannot be quantized; exclude it`;
  throw new SardonyxError('INVALID_MODEL', message, { value: name });
}
