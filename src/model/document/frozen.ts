import { Long } from '../int64.js';

/** Freezes a message recursively. Typed arrays cannot be frozen; they must not be written either. */
export function frozen<T extends object>(message: T): T {
  if (Object.isFrozen(message)) return message;
  Object.freeze(message);
  if (message instanceof Long) return message;
  for (const field of Object.values(message)) {
    if (typeof field !== 'object' || field === null || ArrayBuffer.isView(field)) continue;
    if (field instanceof Long || (Array.isArray(field) && typeof field[0] !== 'object')) Object.freeze(field);
    else frozen(field);
  }
  return message;
}
