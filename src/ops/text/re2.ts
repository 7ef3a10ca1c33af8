/** Contents of character classes by name, as RE2 has them: ASCII only. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** The same without these, for a class inside a class. */
const NEGATED_POSIX: Readonly<Record<string, string>> = {
  alnum: '\\x00-\\/:-@\\[-`\\{-\\u{10ffff}',
  alpha: '\\x00-@\\[-`\\{-\\u{10ffff}',
  ascii: '\\x80-\\u{10ffff}',
  blank: '\\x00-\\x08\\x0a-\\x1f!-\\u{10ffff}',
  cntrl: ' -~\\x80-\\u{10ffff}',
  digit: '\\x00-\\/:-\\u{10ffff}',
  graph: '\\x00- \\x7f-\\u{10ffff}',
  lower: '\\x00-`\\{-\\u{10ffff}',
  print: '\\x00-\\x1f\\x7f-\\u{10ffff}',
  punct: '\\x00- 0-9A-Za-z\\x7f-\\u{10ffff}',
  space: '\\x00-\\x08\\x0e-\\x1f!-\\u{10ffff}',
  upper: '\\x00-@\\[-\\u{10ffff}',
  word: '\\x00-\\/:-@\\[-\\^`\\{-\\u{10ffff}',
  xdigit: '\\x00-\\/:-@G-`g-\\u{10ffff}',
};

/** What these escapes contain; `\s` has no vertical tab. */
const PERL: Readonly<Record<string, string>> = {
  d: '0-9',
  D: NEGATED_POSIX.digit as string,
  s: '\\t\\n\\f\\r ',
  S: '\\x00-\\x08\\x0b\\x0e-\\x1f!-\\u{10ffff}',
  w: POSIX.word as string,
  W: NEGATED_POSIX.word as string,
};

const GENERAL_CATEGORY = /^(C[cfos]?|L[lmotu&]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;
const NOT_ONE_LINE_END = '[^\\n]';

/** Flags `s`, `m`, `U` and `i` as they hold in a group. */
type Flags = ReadonlySet<string>;

const unsupported = (what: string) => new SyntaxError(`${what} is not supported`);

/**
 * A regular expression of RE2 as JavaScript's source under the flag `u`; an error says what RE2 does not have, or
 * JavaScript cannot say. https://github.com/google/re2/wiki/Syntax
 */
export function translateRe2(pattern: string): { readonly source: string; readonly flags: string } {
  const leading = /^\(\?([imsU]+)\)/.exec(pattern);
  const flags = new Set(leading?.[1] ?? '');
  const source = new Translation(pattern, leading?.[0].length ?? 0, flags).run();
  return { source, flags: flags.has('i') ? 'iu' : 'u' };
}

class Translation {
  #source = '';
  /** Flags of the groups around, the innermost last. */
  readonly #scopes: Flags[];

  constructor(
    private readonly pattern: string,
    private at: number,
    flags: Flags,
  ) {
    this.#scopes = [flags];
  }

  run(): string {
    while (this.at < this.pattern.length) this.#source += this.#next();
    return this.#source;
  }

  get #flags(): Flags {
    return this.#scopes.at(-1) as Flags;
  }

  /** The match of a sticky expression here, which is then behind. */
  #take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const match = expression.exec(this.pattern);
    if (match) this.at += match[0].length;
    return match;
  }

  #next(): string {
    const repeat = this.#take(/([*+?]|\{\d+(?:,\d*)?\})(\??)/y);
    if (repeat) return this.#repeat(repeat[1] as string, repeat[2] === '?');
    const character = String.fromCodePoint(this.pattern.codePointAt(this.at) as number);
    if (character === '\\') return this.#escape(false);
    if (character === '[') return this.#class();
    if (character === '(') return this.#open();
    this.at += character.length;
    if (character === ')') {
      if (this.#scopes.length === 1) throw new SyntaxError('a parenthesis closes none');
      this.#scopes.pop();
    }
    if (character === '.') return this.#flags.has('s') ? '[^]' : NOT_ONE_LINE_END;
    if (character === '^' && this.#flags.has('m')) return `(?<!${NOT_ONE_LINE_END})`;
    if (character === '$' && this.#flags.has('m')) return `(?!${NOT_ONE_LINE_END})`;
    return '{}]/'.includes(character) ? `\\${character}` : character;
  }

  #repeat(times: string, isLazy: boolean): string {
    if (this.pattern[this.at] === '+' || this.pattern[this.at] === '*')
      throw unsupported(`"${times}${this.pattern[this.at]}"`);
    const bounds = times.match(/\d+/g) ?? [];
    if (bounds.some((bound) => Number(bound) > 1000)) throw unsupported(`more than 1000 repetitions, "${times}",`);
    return isLazy !== this.#flags.has('U') ? `${times}?` : times;
  }

  #open(): string {
    const name = this.#take(/\(\?P?<(?![=!])(\w+)>/y);
    if (name) return this.#enter(this.#flags, `(?<${name[1]}>`);
    const scoped = this.#take(/\(\?([imsU]*)(?:-([imsU]+))?([:)])/y);
    if (scoped) return this.#setFlags(scoped[1] ?? '', scoped[2] ?? '', scoped[3] === ':');
    const lookaround = this.#take(/\(\?(<?[=!]|.?)/y);
    if (lookaround) throw unsupported(`"${lookaround[0]}"`);
    this.at++;
    return this.#enter(this.#flags, '(');
  }

  #enter(flags: Flags, opening: string): string {
    this.#scopes.push(flags);
    return opening;
  }

  /** Flags for a group, or for the rest of the group around. */
  #setFlags(on: string, off: string, isGroup: boolean): string {
    const flags = new Set([...this.#flags, ...on].filter((flag) => !off.includes(flag)));
    const changesCase = flags.has('i') !== this.#flags.has('i');
    if (!isGroup) {
      if (changesCase) throw unsupported('a change of case sensitivity inside a group');
      this.#scopes[this.#scopes.length - 1] = flags;
      return '';
    }
    const modifier = flags.has('i') ? 'i' : '-i';
    return this.#enter(flags, changesCase ? `(?${modifier}:` : '(?:');
  }

  #escape(inClass: boolean): string {
    const quoted = inClass ? null : this.#take(/\\Q([\s\S]*?)(?:\\E|$)/y);
    if (quoted) return (quoted[1] as string).replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
    const perl = this.#take(/\\([dDsSwW])/y)?.[1];
    if (perl) return inClass ? (PERL[perl] as string) : `[${PERL[perl]}]`;
    const property = this.#take(/\\([pP])(?:\{(\^?)([\w&]+)\}|(\w))/y);
    if (property) return this.#property(property);
    const code = this.#take(/\\x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))|\\(0[0-7]{0,2}|[1-7][0-7]{2})/y);
    if (code)
      return `\\u{${Number.parseInt(code[1] ?? code[2] ?? (code[3] as string), code[3] ? 8 : 16).toString(16)}}`;
    const letter = this.#take(/\\([fnrtv])/y);
    if (letter) return letter[0];
    if (this.#take(/\\a/y)) return '\\x07';
    const position = inClass ? null : this.#take(/\\([AzbB])/y);
    if (position) return { A: '(?<![^])', z: '(?![^])' }[position[1] as string] ?? position[0];
    const literal = this.#take(/\\([\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e])/y)?.[1];
    if (literal) return `\\x${literal.charCodeAt(0).toString(16)}`;
    throw unsupported(`"${this.pattern.slice(this.at, this.at + 2)}"`);
  }

  #property([, kind, caret, long, short]: RegExpExecArray): string {
    const name = (long ?? short) as string;
    const negated = (kind === 'P') !== (caret === '^');
    const letter = negated ? 'P' : 'p';
    if (name === 'Any') return `\\${letter}{Any}`;
    if (name === 'L&') return `\\${letter}{LC}`;
    return GENERAL_CATEGORY.test(name) ? `\\${letter}{${name}}` : `\\${letter}{Script=${name}}`;
  }

  #class(): string {
    let contents = this.#take(/\[\^?/y)?.[0] as string;
    if (this.#take(/\]/y)) contents += '\\]';
    while (this.pattern[this.at] !== ']') {
      if (this.at >= this.pattern.length) throw new SyntaxError('a class is not closed');
      contents += this.#inClass();
    }
    this.at++;
    return `${contents}]`;
  }

  #inClass(): string {
    if (this.pattern[this.at] === '\\') return this.#escape(true);
    const named = this.#take(/\[:(\^?)(\w+):\]/y);
    if (named) {
      const set = (named[1] ? NEGATED_POSIX : POSIX)[named[2] as string];
      if (!set) throw unsupported(`"${named[0]}"`);
      return set;
    }
    const character = String.fromCodePoint(this.pattern.codePointAt(this.at) as number);
    this.at += character.length;
    return '[(){}/|'.includes(character) ? `\\${character}` : character;
  }
}
