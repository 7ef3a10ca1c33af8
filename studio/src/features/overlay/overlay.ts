import { signal } from '@preact/signals';

/** What a file says of something in a model: a number or words, under a title. */
export interface Remark {
  /** `either`: of a node, or of the node that makes the value of this name. */
  readonly of: 'model' | 'node' | 'value' | 'either';
  /** A name, or a node's place in the file, as in `origins`: 12, or 12/body/3. */
  readonly key: string;
  readonly title: string;
  readonly fact: number | string;
}

/** The remarks of a file. */
export interface Overlay {
  readonly name: string;
  readonly remarks: readonly Remark[];
}

/** What lies over the model in view. */
export const overlay = signal<Overlay | null>(null);

/** The title of the numbers that colour the graph. */
export const overlayBy = signal('');
