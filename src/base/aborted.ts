import { SardonyxError } from './errors.js';

class AbortError extends SardonyxError {
  override readonly name = 'AbortError';
}

/** The reason of the signal is the error's cause. */
export const aborted = ({ reason }: AbortSignal, what = 'the run'): SardonyxError =>
  new AbortError('ABORTED', `${what} was aborted`, {}, { cause: reason });
