import { SardonyxError } from '../../../base/errors.js';
import { shown } from '../../../base/shown.js';

export function refuse(complaint: string): never {
  throw new SardonyxError('INVALID_ARGUMENT', complaint);
}

/** A value in a file with its path for error messages. */
export class Field {
  constructor(
    readonly value: unknown,
    readonly path: string,
  ) {}

  /** A field of an object. If it is missing, its value is undefined. */
  at(name: string | number): Field {
    const { value } = this;
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return new Field(isThere ? (value as Record<string, unknown>)[name] : undefined, `${this.path}.${name}`);
  }

  get isThere(): boolean {
    return this.value !== undefined;
  }

  /** The value as a number, which may be stored as text. */
  get number(): number {
    const { value } = this;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && !Number.isNaN(number)) return number;
    throw this.refused('a number');
  }

  get size(): number {
    const { number } = this;
    if (Number.isSafeInteger(number) && number >= 0 && number < MOST) return number;
    throw this.refused('a non-negative integer');
  }

  get text(): string {
    if (typeof this.value === 'string') return this.value;
    throw this.refused('a string');
  }

  get items(): Field[] {
    const { value } = this;
    if (Array.isArray(value)) return value.map((item, i) => new Field(item, `${this.path}[${i}]`));
    throw this.refused('a list');
  }

  /** The value as a list of numbers. Booleans become 1 and 0, and null becomes NaN. */
  get numbers(): number[] {
    const { value } = this;
    if (Array.isArray(value) && value.every((item) => item === null || ['number', 'boolean'].includes(typeof item)))
      return value.map((item) => (item === null ? Number.NaN : Number(item)));
    throw this.refused('a list of numbers');
  }

  refused(wanted: string): SardonyxError {
    return new SardonyxError('INVALID_ARGUMENT', `${this.path}: expected ${wanted}, got ${shown(this.value)}`);
  }
}

/** A limit for counts, beyond that of any real model. */
const MOST = 2 ** 31;
