import { reading } from './arguments.js';
import { SardonyxError } from './errors.js';
import { shown } from './shown.js';

interface Watch {
  readonly calls: Set<() => void>;
  readonly tell: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls `call` when the signal is aborted, unless the returned function is called before. Each signal has a single listener, because Node
 * warns of more than ten.
 */
export function onAbort(signal: AbortSignal | null | undefined, call: () => void): () => void {
  if (signal === undefined || signal === null) return () => {};
  checkSignal(signal);
  const watch = watches.get(signal) ?? watchOf(signal);
  watch.calls.add(call);
  return () => {
    if (!watch.calls.delete(call) || watch.calls.size > 0) return;
    signal.removeEventListener('abort', watch.tell);
    watches.delete(signal);
  };
}

/** Settles when the promise settles or the signal is aborted, whichever is first. */
export function settledOrAborted(promise: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => resolve(undefined));
    promise.then(resolve, reject).finally(forget);
  });
}

function watchOf(signal: AbortSignal): Watch {
  const calls = new Set<() => void>();
  const tell = () => {
    for (const call of calls) call();
  };
  const watch = { calls, tell };
  signal.addEventListener('abort', tell);
  watches.set(signal, watch);
  return watch;
}

/** Refuses values that are not signals, such as the controller instead of its signal. */
export function checkSignal(signal: AbortSignal): void {
  if (reading('signal', () => isSignal(signal))) return;
  throw new SardonyxError('INVALID_ARGUMENT', `signal must be an AbortSignal; got ${shown(signal)}`);
}

const isSignal = (signal: Partial<AbortSignal>): boolean =>
  typeof signal.aborted === 'boolean' &&
  typeof signal.addEventListener === 'function' &&
  typeof signal.removeEventListener === 'function';
