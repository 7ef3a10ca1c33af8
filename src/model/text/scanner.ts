import { SardonyxError } from '../../base/errors.js';

const SPACE = /[ \t\n\v\f\r]*/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /-?\d+(\.\d*)?(e[+-]?\d+)?/iy;
const SPECIAL = /-?(inf|infinity|nan)(?![A-Za-z0-9])/iy;

/** Prefix of comments that are annotations. */
export const NOTE = '#!';

/** The first line of lossless text. */
export const LOSSLESS = `${NOTE} lossless`;

/** Splits ONNX's text into tokens: https://github.com/onnx/onnx/blob/main/docs/Syntax.md */
export class Scanner {
  at = 0;
  readonly isLossless: boolean;
  #notes: string[] = [];
  /** End of the last recorded annotation, because text may be scanned more than once. */
  #noted = 0;

  constructor(readonly text: string) {
    this.isLossless = text.trimStart().startsWith(LOSSLESS);
    if (this.isLossless) this.#noted = text.indexOf(LOSSLESS) + LOSSLESS.length;
  }

  /** The next character after blanks and comments; empty at the end. */
  peek(): string {
    this.skip();
    return this.text.charAt(this.at);
  }

  get isAtEnd(): boolean {
    return this.peek() === '';
  }

  /** Consumes `mark` if it is next. */
  takes(mark: string): boolean {
    this.skip();
    if (!this.text.startsWith(mark, this.at)) return false;
    this.at += mark.length;
    return true;
  }

  expect(mark: string, purpose: string): void {
    if (!this.takes(mark)) throw this.refusal(`${JSON.stringify(mark)} ${purpose}`);
  }

  /** Consumes an identifier if one is next; empty otherwise. */
  optionalIdentifier(): string {
    this.skip();
    return this.#match(IDENTIFIER) ?? '';
  }

  identifier(purpose: string): string {
    const name = this.optionalIdentifier();
    if (!name) throw this.refusal(purpose);
    return name;
  }

  peekIdentifier(): string {
    const name = this.optionalIdentifier();
    this.at -= name.length;
    return name;
  }

  /** Consumes an identifier or a quoted name. */
  name(purpose: string): string {
    return this.peek() === '"' ? this.string(purpose) : this.identifier(purpose);
  }

  /** Consumes a name if one is next; undefined otherwise. */
  optionalName(): string | undefined {
    return this.peek() === '"' ? this.string('a name') : this.optionalIdentifier() || undefined;
  }

  string(purpose: string): string {
    if (this.peek() !== '"') throw this.refusal(`${purpose} in quotes`);
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    if (end >= this.text.length) throw this.refusal(`a closing quote for ${purpose}`, this.text.length);
    const contents = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return contents.includes('\\') ? contents.replace(/\\([\s\S])/g, '$1') : contents;
  }

  /** Consumes the characters of a number if one is next; undefined otherwise. */
  optionalNumber(): string | undefined {
    this.skip();
    return this.#match(NUMBER) ?? this.#match(SPECIAL);
  }

  number(purpose: string): number {
    const { at } = this;
    const literal = this.optionalNumber();
    if (literal === undefined) throw this.refusal(purpose);
    const value = numberOf(literal);
    if (!Number.isFinite(value) && /\d/.test(literal)) throw this.refusal(`${purpose} in the range of double`, at);
    return value;
  }

  /** Consumes an integer within the bounds. */
  integer(purpose: string, [least, most]: Bounds = INT64): bigint {
    this.skip();
    const { at } = this;
    const literal = this.optionalNumber();
    if (literal === undefined || !isInteger(literal)) throw this.refusal(purpose, at);
    const value = BigInt(literal);
    if (value < least || value > most) throw this.refusal(`${purpose} from ${least} to ${most}`, at);
    return value;
  }

  /** Annotations since the last call; they belong to the message that has just been parsed. */
  notes(): readonly string[] {
    this.skip();
    const notes = this.#notes;
    if (notes.length > 0) this.#notes = [];
    return this.isLossless ? notes : NONE;
  }

  /** The error for unexpected text, with its position. */
  refusal(expected: string, at = this.at): SardonyxError {
    const before = this.text.slice(0, at).split('\n');
    const line = this.text.slice(at - (before.at(-1)?.length ?? 0)).split('\n', 1)[0] as string;
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    const found = /^(\w+|[\s\S])/.exec(this.text.slice(at, at + 40))?.[0];
    const what = found === undefined || found === '\n' ? 'the end' : JSON.stringify(found);
    return new SardonyxError(
      'INVALID_TEXT',
      `${place}: expected ${expected}, found ${what}${line.trim() && ` in: ${line.trim().slice(0, 120)}`}`,
    );
  }

  /** Skips blanks and comments. */
  skip(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code > 35 || (code === 34 && this.at < text.length)) return;
      this.#match(SPACE);
      if (text[this.at] !== '#') return;
      const end = text.indexOf('\n', this.at);
      this.#note(end < 0 ? text.length : end);
    }
  }

  #note(end: number): void {
    const comment = this.text.slice(this.at, end);
    if (comment.startsWith(NOTE) && this.at >= this.#noted) {
      this.#notes.push(comment.slice(NOTE.length).trim());
      this.#noted = end;
    }
    this.at = end;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

const NONE: readonly string[] = [];

export type Bounds = readonly [least: bigint, most: bigint];

export const INT32: Bounds = [-(2n ** 31n), 2n ** 31n - 1n];
export const INT64: Bounds = [-(2n ** 63n), 2n ** 63n - 1n];
export const UINT64: Bounds = [0n, 2n ** 64n - 1n];

export const isInteger = (literal: string): boolean => /^-?\d+$/.test(literal);

const SPECIALS: Readonly<Record<string, number>> = { i: Number.POSITIVE_INFINITY, n: Number.NaN };

export function numberOf(literal: string): number {
  const special = SPECIALS[literal.replace('-', '').charAt(0).toLowerCase()];
  return special === undefined ? Number(literal) : literal.startsWith('-') ? -special : special;
}
