import type { Ragged } from '../../graph/outline.js';

/** Texts by index; 0 is ''. */
export class Strings {
  readonly all: string[] = [''];
  private readonly places = new Map<string, number>([['', 0]]);

  index(text: string): number {
    const found = this.places.get(text);
    if (found !== undefined) return found;
    this.places.set(text, this.all.length);
    return this.all.push(text) - 1;
  }
}

/** Rows of different lengths, one after the other. */
export class Rows {
  private readonly start: number[] = [0];
  private readonly values: number[] = [];

  push(value: number): void {
    this.values.push(value);
  }

  end(): void {
    this.start.push(this.values.length);
  }

  done(): Ragged {
    return { start: Int32Array.from(this.start), values: Int32Array.from(this.values) };
  }
}
