import { SardonyxError } from '../base/errors.js';

/** A node or layer that cannot be converted to the other format. */
export interface Untranslated {
  /** The name of the node or layer. */
  readonly node: string;
  /** The operator or the layer class. */
  readonly operator: string;
  /** The reason why it cannot be converted. */
  readonly reason: string;
}

/** Thrown if a model cannot be converted to or from another format. */
export class TranslationError extends SardonyxError {
  constructor(
    /** All nodes or layers that cannot be converted. */ readonly obstacles: readonly [Untranslated, ...Untranslated[]],
  ) {
    const lines = obstacles.map(({ node, operator, reason }) => `${operator} "${node}": ${reason}`);
    super('UNSUPPORTED_OPERATOR', lines.join('; '));
  }
}

/** Collects refusals to report them together. */
export class Refusals {
  readonly #obstacles: Untranslated[] = [];

  /** Returns the result of `work`, or records the error and returns undefined. */
  collect<T>(node: string, operator: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (thrown) {
      if (!(thrown instanceof SardonyxError) || thrown.code === 'INTERNAL') throw thrown;
      const reason = thrown.complaint;
      const isSaid = this.#obstacles.some((other) => other.node === node && other.reason === reason);
      if (!isSaid) this.#obstacles.push({ node, operator, reason });
      return undefined;
    }
  }

  get isEmpty(): boolean {
    return this.#obstacles.length === 0;
  }

  check(): void {
    const [first, ...others] = this.#obstacles;
    if (first) throw new TranslationError([first, ...others]);
  }
}
