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
  | 'MISSING_FEED'
  | 'UNKNOWN_FEED'
  | 'UNKNOWN_OUTPUT'
  | 'OUT_OF_MEMORY'
  /** A fault of Sardonyx itself. */
  | 'INTERNAL'
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

  constructor(
    readonly code: ErrorCode,
    /** The message without the place. */
    readonly complaint: string,
    readonly place: ErrorPlace = {},
    options?: ErrorOptions,
  ) {
    super(placed(complaint, place), options);
  }
}

/** Whatever was thrown as a SardonyxError: exhausted memory, or a fault of Sardonyx itself. */
export function asSardonyxError(thrown: unknown): SardonyxError {
  if (thrown instanceof SardonyxError) return thrown;
  const { message } = thrown as Error;
  const isMemory = thrown instanceof RangeError && !message.includes('call stack');
  return new SardonyxError(isMemory ? 'OUT_OF_MEMORY' : 'INTERNAL', message, {}, { cause: thrown });
}

function placed(message: string, { node, operator, value }: ErrorPlace): string {
  const where = [operator && node ? `${operator} "${node}"` : operator, value && `value "${value}"`].filter(Boolean);
  return where.length ? `${where.join(', ')}: ${message}` : message;
}
