import { SardonyxError } from '../base/errors.js';
import type { Value } from '../graph/graph.js';

/** The names of one graph, nested in those of outer graphs. Records which nodes need which. */
export class Scope {
  /** Index of the node that is being read. */
  node = -1;
  private readonly values = new Map<string, Value>();
  private readonly producers = new Map<Value, number>();
  private readonly needs: number[][] = [];

  constructor(private readonly outer?: Scope) {}

  declare(name: string, producer?: number): Value {
    if (this.values.has(name)) throw new SardonyxError('INVALID_MODEL', 'is defined twice', { value: name });
    const value: Value = { name };
    this.values.set(name, value);
    if (producer !== undefined) this.producers.set(value, producer);
    return value;
  }

  own(name: string): Value | undefined {
    return this.values.get(name);
  }

  /** The value with this name from the innermost graph that has it. */
  use(name: string): Value | undefined {
    const value = this.values.get(name);
    if (!value) return this.outer?.use(name);
    const producer = this.producers.get(value);
    if (producer !== undefined && this.node >= 0) {
      this.needs[this.node] ??= [];
      this.needs[this.node]?.push(producer);
    }
    return value;
  }

  /** The nodes that node `index` needs, directly or in its subgraphs. */
  needed(index: number): readonly number[] {
    return this.needs[index] ?? [];
  }
}
