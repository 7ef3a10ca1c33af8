import { modelBuilder } from '../../../src/builder/index.js';

export type Model = ReturnType<typeof modelBuilder>;

/** A network whose plans are traced, and sizes at random for its inputs. */
export interface Network {
  readonly model: Uint8Array;
  readonly dims: (next: () => number) => readonly (readonly number[])[];
}

export const between = (next: () => number, least: number, most: number) =>
  least + Math.floor(next() * (most - least + 1));

export function network(build: (b: Model) => void, dims: Network['dims']): Network {
  const b = modelBuilder({ opset: 21 });
  build(b);
  return { model: b.toBytes(), dims };
}
