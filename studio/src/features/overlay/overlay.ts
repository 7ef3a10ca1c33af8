import { signal } from '@preact/signals';

/** A remark of an overlay on a part of a model: a number or text, with a title. */
export interface Remark {
  /** `either`: the node, or the node that makes the value, of this name. */
  readonly of: 'model' | 'node' | 'value' | 'either';
  /** A name, or a node's place in the file, as in `origins`: 12, or 12/body/3. */
  readonly key: string;
  readonly title: string;
  readonly fact: number | string;
}

/** The remarks in a file. */
export interface Overlay {
  readonly name: string;
  readonly remarks: readonly Remark[];
}

/** The overlay of the model in view. */
export const overlay = signal<Overlay | null>(null);

/** The title of the numbers that colour the graph. */
export const overlayBy = signal('');
