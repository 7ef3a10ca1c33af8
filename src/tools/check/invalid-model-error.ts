import { type ErrorCode, SardonyxError } from '../../base/errors.js';
import type { Issue } from './issue.js';

/** A model that breaks rules of ONNX: all of them are in `issues`. */
export class InvalidModelError extends SardonyxError {
  constructor(
    readonly issues: readonly Issue[],
    [first, ...others]: readonly [Issue, ...Issue[]],
  ) {
    const rest = others.length > 0 ? ` (and ${others.length} more)` : '';
    const { node, operator, value } = first;
    const place = { ...(node && { node }), ...(operator && { operator }), ...(value && { value }) };
    super('INVALID_MODEL' satisfies ErrorCode, `${first.path}: ${first.message}${rest}`, place);
  }
}
