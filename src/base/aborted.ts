import { SardonyxError } from './errors.js';

class AbortError extends SardonyxError {
  override readonly name = 'AbortError';
}

/** An abort error; its cause is the signal's reason. */
export const aborted = ({ reason }: AbortSignal, what = 'the run'): SardonyxError =>
  new AbortError('ABORTED', `${what} was aborted`, {}, { cause: reason });
