import { unreadable } from '../../base/arguments.js';
import { SardonyxError } from '../../base/errors.js';
import { shown } from '../../base/shown.js';

export const ofAnother = (): SardonyxError =>
  new SardonyxError('INVALID_ARGUMENT', 'the state belongs to another session: call createState of this one');

/** @throws SardonyxError INVALID_ARGUMENT if the object lacks the method of a session's states */
export function checkState(state: object, method: string): void {
  // Not a closure, which each run with a state would allocate.
  try {
    if (typeof (state as Record<string, unknown>)[method] === 'function') return;
  } catch (error) {
    throw unreadable('state', error);
  }
  throw new SardonyxError('INVALID_ARGUMENT', `state must come from createState of this session; got ${shown(state)}`);
}
