/** Stable codes of all errors. */
export type ErrorCode =
  | 'INVALID_ARGUMENT'
  | 'INVALID_MODEL'
  /** Text that does not follow ONNX's syntax. */
  | 'INVALID_TEXT'
  | 'INVALID_GRAPH'
  | 'INVALID_TYPE'
  | 'INVALID_SHAPE'
  | 'INVALID_ATTRIBUTE'
  | 'INVALID_VALUE'
  | 'UNSUPPORTED_OPERATOR'
  | 'UNSUPPORTED_TYPE'
  | 'EXTERNAL_DATA'
  /** No file exists at a path. */
  | 'FILE_NOT_FOUND'
  /** A file that exists but cannot be read: a folder, or missing permissions. */
  | 'FILE_UNREADABLE'
  | 'MISSING_FEED'
  | 'UNKNOWN_FEED'
  | 'UNKNOWN_OUTPUT'
  | 'OUT_OF_MEMORY'
  /** More memory, nodes or time than `limits` allow. */
  | 'LIMIT'
  /** A file that could not be downloaded completely. */
  | 'DOWNLOAD'
  /** Bytes with another hash than expected. */
  | 'INTEGRITY'
  /** A cache that cannot be written or read. */
  | 'STORAGE'
  /** The platform lacks a required feature. */
  | 'UNSUPPORTED_PLATFORM'
  /** A fault of Sardonyx itself. */
  | 'INTERNAL'
  /** A session worker cannot be started, or has died. */
  | 'WORKER_FAILED'
  | 'ABORTED'
  | 'RELEASED';

/** The place of an error; every part is a name in the model. */
export interface ErrorPlace {
  /** The name of a node. */
  readonly node?: string;
  /** The operator of a node, such as `Conv`. */
  readonly operator?: string;
  /** The name of an input, output, weight or intermediate value. */
  readonly value?: string;
}

const PAGES = 'https://github.com/sardonyx-js/sardonyx/blob/main/docs/errors/';

/**
 * The only error that Sardonyx throws. Its message states the problem, its place and the remedy.
 * @example
 * try {
 *   await session.run(feeds);
 * } catch (error) {
 *   if (error instanceof SardonyxError && error.code === 'INVALID_SHAPE') console.log(error.place.value);
 *   else throw error;
 * }
 */
export class SardonyxError extends Error {
  /** `'SardonyxError'`, or `'AbortError'` if a signal has stopped the work. */
  override readonly name: string = 'SardonyxError';
  /** The message without the place. */
  declare readonly complaint: string;
  /** The node, operator or value that the error is about, by its name in the model. */
  declare readonly place: ErrorPlace;
  /** The page about this code, with causes and remedies. */
  readonly help: string;

  /**
   * @param code the kind of error
   * @param complaint description of the problem, without the place
   * @param place the place of the problem; the message begins with it
   * @param options the cause, as for any `Error`
   */
  constructor(
    /** The kind of error; codes do not change between versions. */
    readonly code: ErrorCode,
    complaint: string,
    place: ErrorPlace = {},
    options?: ErrorOptions,
  ) {
    super(placed(complaint, place), options);
    this.help = `${PAGES}${code.toLowerCase().replace(/_/g, '-')}.md`;
    // Consoles print enumerable properties, but the message already contains both.
    Object.defineProperties(this, { complaint: { value: complaint }, place: { value: place } });
  }
}

/** Turns a short complaint into a longer one, with the module src/advice, which is loaded on demand. */
export type Hint = (advice: never, complaint: string) => string;

const hints = new WeakMap<SardonyxError, Hint>();

/** The error with a hint, which replaces its complaint if there is time to load src/advice. */
export function withHint(error: SardonyxError, hint: Hint): SardonyxError {
  hints.set(error, hint);
  return error;
}

export const hintOf = (error: SardonyxError): Hint | undefined => hints.get(error);

/** Messages of engines that cannot allocate memory; other RangeErrors are faults. */
const MEMORY = /memory|allocation|(array|buffer|string) length|maximum size|length too large/i;

/** Converts a thrown value to a SardonyxError with that place: exhausted memory, or a fault of Sardonyx itself. */
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

/** Runs `work` for a node; errors name the node. */
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
