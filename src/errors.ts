/** Stable codes of everything Sardonyx refuses. */
export type ErrorCode =
  | 'INVALID_ARGUMENT'
  | 'INVALID_MODEL'
  | 'INVALID_GRAPH'
  | 'INVALID_TYPE'
  | 'INVALID_SHAPE'
  | 'INVALID_ATTRIBUTE'
  | 'INVALID_VALUE'
  | 'UNSUPPORTED_OPERATOR'
  | 'UNSUPPORTED_TYPE'
  | 'EXTERNAL_DATA'
  /** There is no file at a path. */
  | 'FILE_NOT_FOUND'
  /** A file that is there and cannot be read: a folder, or one that may not be read. */
  | 'FILE_UNREADABLE'
  | 'MISSING_FEED'
  | 'UNKNOWN_FEED'
  | 'UNKNOWN_OUTPUT'
  | 'OUT_OF_MEMORY'
  /** More memory, nodes or time than `limits` allow. */
  | 'LIMIT'
  /** A file that did not come, or not whole. */
  | 'DOWNLOAD'
  /** Bytes whose hash is not the one asked for. */
  | 'INTEGRITY'
  /** A cache that cannot be written or read. */
  | 'STORAGE'
  /** The host lacks what is needed. */
  | 'UNSUPPORTED_PLATFORM'
  /** A fault of Sardonyx itself. */
  | 'INTERNAL'
  /** A session worker cannot be started, or has died. */
  | 'WORKER_FAILED'
  | 'ABORTED'
  | 'RELEASED';

/** Where an error arose; every part is a name in the model. */
export interface ErrorPlace {
  readonly node?: string;
  readonly operator?: string;
  readonly value?: string;
}

/** The only error Sardonyx throws: what is wrong, where, and what would be right. */
export class SardonyxError extends Error {
  override readonly name: string = 'SardonyxError';
  /** The message without the place. */
  declare readonly complaint: string;
  declare readonly place: ErrorPlace;

  constructor(
    readonly code: ErrorCode,
    complaint: string,
    place: ErrorPlace = {},
    options?: ErrorOptions,
  ) {
    super(placed(complaint, place), options);
    // Consoles print what is enumerable: the message has said both.
    Object.defineProperties(this, { complaint: { value: complaint }, place: { value: place } });
  }
}

/** Finds better words for a complaint; what that takes is loaded only then. */
export type Hint = (complaint: string) => Promise<string>;

const hints = new WeakMap<SardonyxError, Hint>();

/** The error, whose complaint the hint will replace where there is time to load what it takes: `advised`. */
export function withHint(error: SardonyxError, hint: Hint): SardonyxError {
  hints.set(error, hint);
  return error;
}

/** Whatever was thrown as a SardonyxError, with the best complaint there is. */
export async function advised(thrown: unknown): Promise<SardonyxError> {
  const error = asSardonyxError(thrown);
  const hint = hints.get(error);
  if (!hint) return error;
  try {
    return better(error, await hint(error.complaint));
  } catch {
    // Service workers load nothing, and advice looks once more at what the caller has given, which may be something else by now.
    return error;
  }
}

/** The error with another complaint, from the same place in the caller's program. */
function better(error: SardonyxError, complaint: string): SardonyxError {
  const { code, place, cause, message, stack } = error;
  const made = new SardonyxError(code, complaint, place, cause === undefined ? undefined : { cause });
  if (stack) made.stack = stack.replace(message, () => made.message);
  return made;
}

/** What engines say of memory that they cannot give; other RangeErrors are faults. */
const MEMORY = /memory|allocation|(array|buffer|string) length|maximum size|length too large/i;

/** Whatever was thrown, at that place, as a SardonyxError: exhausted memory, or a fault of Sardonyx itself. */
export function asSardonyxError(thrown: unknown, place: ErrorPlace = {}): SardonyxError {
  if (thrown instanceof SardonyxError) {
    const isPlaced = Object.values(thrown.place).some(Boolean);
    const isKnown = Object.values(place).some(Boolean);
    if (isPlaced || !isKnown) return thrown;
    const placed = new SardonyxError(thrown.code, thrown.complaint, place, { cause: thrown.cause });
    const hint = hints.get(thrown);
    return hint ? withHint(placed, hint) : placed;
  }
  const { message } = thrown as Error;
  const isMemory = thrown instanceof RangeError && MEMORY.test(message);
  return new SardonyxError(isMemory ? 'OUT_OF_MEMORY' : 'INTERNAL', message, place, { cause: thrown });
}

/** Does `work` on behalf of a node, which whatever it throws will name. */
export function onBehalfOf<T>({ name, op }: { readonly name: string; readonly op: string }, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asSardonyxError(error, { node: name, operator: op });
  }
}

function placed(message: string, { node, operator, value }: ErrorPlace): string {
  const where = [operator && node ? `${operator} "${node}"` : operator, value && `value "${value}"`].filter(Boolean);
  return where.length ? `${where.join(', ')}: ${message}` : message;
}
