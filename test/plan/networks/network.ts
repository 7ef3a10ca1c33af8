import { modelBuilder } from '../../../src/builder/index.js';

export type Model = ReturnType<typeof modelBuilder>;

/** A network whose plans are traced, and sizes at random for its inputs. */
export interface Network {
  readonly model: Uint8Array;
  readonly dims: (next: () => number) => readonly (readonly number[])[];
  /** Names of nodes that are inferred or lowered again by numbers at each size. */
  readonly repeated?: readonly string[];
}

export const between = (next: () => number, least: number, most: number) =>
  least + Math.floor(next() * (most - least + 1));

export function network(build: (b: Model) => void, dims: Network['dims']): Network {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  build(b);
  return { model: b.toBytes(), dims };
}
