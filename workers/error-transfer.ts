import { type TransferHandler, transferHandlers } from 'comlink';
import { asSardonyxError, type ErrorCode, type ErrorPlace, SardonyxError } from '../src/base/errors.js';

interface SentError {
  readonly code: ErrorCode;
  readonly complaint: string;
  readonly place: ErrorPlace;
  readonly cause: unknown;
  readonly stack: string | undefined;
}

type Thrown = { readonly value: unknown };
type Plain = { readonly isError: boolean; readonly value: unknown };

const comlinks = transferHandlers.get('throw') as TransferHandler<Thrown, Plain>;

const handler: TransferHandler<Thrown, SentError | Plain> = {
  canHandle: (value): value is Thrown => comlinks.canHandle(value),
  serialize({ value }) {
    const { code, complaint, place, cause, stack } = asSardonyxError(value);
    return [{ code, complaint, place, cause: sendable(cause), stack }, []];
  },
  deserialize(sent) {
    if (!('code' in sent)) return comlinks.deserialize(sent);
    const { code, complaint, place, cause, stack } = sent;
    throw Object.assign(new SardonyxError(code, complaint, place, { cause: received(cause) }), { stack });
  },
};

/** Lets errors keep their code, complaint and place; called at both ends of a session worker. */
export const transferErrorsWhole = (): unknown => transferHandlers.set('throw', handler);

/** The part of any cause that can certainly be posted. */
export function sendable(cause: unknown): unknown {
  if (cause instanceof Error) return { name: cause.name, message: cause.message, stack: cause.stack };
  return typeof cause === 'object' || typeof cause === 'function' ? undefined : cause;
}

export const received = (cause: unknown) =>
  typeof cause === 'object' ? Object.assign(new Error((cause as Error).message), cause) : cause;
