import type { Lowered } from './stage.js';

/** What plans for a row of sizes choose alike of what serves all sizes: what the first of them has. */
export class Agreement {
  readonly #choices = new Map<Lowered, number[]>();

  /** The choice that a node makes as its `i`th. */
  about(node: Lowered, i: number, choice: number): number {
    const choices = this.#choices.get(node) ?? [];
    this.#choices.set(node, choices);
    choices[i] ??= choice;
    return choices[i];
  }
}
