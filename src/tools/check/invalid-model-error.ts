import { type ErrorCode, SardonyxError } from '../../base/errors.js';
import type { Issue } from './issue.js';

/** Thrown by `assertModel` for a model that violates ONNX's rules. */
export class InvalidModelError extends SardonyxError {
  constructor(
    /** All violations and warnings. */
    readonly issues: readonly Issue[],
    [first, ...others]: readonly [Issue, ...Issue[]],
  ) {
    const rest = others.length > 0 ? ` (and ${others.length} more)` : '';
    const { node, operator, value } = first;
    const place = { ...(node && { node }), ...(operator && { operator }), ...(value && { value }) };
    super('INVALID_MODEL' satisfies ErrorCode, `${first.path}: ${first.message}${rest}`, place);
  }
}
