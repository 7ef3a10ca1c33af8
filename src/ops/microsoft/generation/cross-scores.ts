import { account } from '../../../account.js';
import { numbersOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { Chosen } from './decoder.js';
import { sequenceOf } from './sequences.js';

/** Selected heads. */
export type Heads = readonly (readonly [layer: number, head: number])[];

interface Row {
  /** One per layer, [rows,heads,1,frames]. */
  readonly layers: readonly TensorValue[];
  readonly row: number;
}

/** Collects the cross-attention scores of each decoder run, by the sequence of each row. */
export class CrossScores {
  readonly #rows = new Map<string, Row>();
  #runs = 0;
  /** Sizes of the decoder's scores, known after its first run. */
  sizes = { layers: 0, heads: 0, frames: 0 };

  constructor(private readonly beams: number) {}

  record(layers: readonly TensorValue[], { sequences }: Chosen): void {
    this.#runs++;
    const [, heads = 0, , frames = 0] = layers[0]?.dims ?? [];
    this.sizes = { layers: layers.length, heads, frames };
    for (const layer of layers) account()?.holdValue(layer);
    for (let row = 0; row < sequences.rows.length; row++)
      this.#rows.set(keyOf(Math.floor(row / this.beams), sequenceOf(sequences, row)), { layers, row });
  }

  /** Scores [batch,returned,heads,runs,frames] of the sequences [batch,returned,limit]; zeros after a sequence has ended. */
  of({ dims, data }: TensorValue, prompt: number, heads: Heads, frames: number): TensorValue {
    const [batch = 0, returned = 0, limit = 0] = dims;
    const all = new Float32Array(batch * returned * heads.length * this.#runs * frames);
    for (let i = 0; i < batch * returned; i++) {
      const tokens = (data as Int32Array).subarray(i * limit, (i + 1) * limit);
      for (let run = 0; run < this.#runs; run++) {
        const found = this.#rows.get(keyOf(Math.floor(i / returned), tokens.subarray(0, prompt + run + 1)));
        if (!found) continue;
        heads.forEach(([layer, head], k) => {
          all.set(scoresOf(found, layer, head), ((i * heads.length + k) * this.#runs + run) * frames);
        });
      }
    }
    return { type: 'float32', dims: [batch, returned, heads.length, this.#runs, frames], data: all };
  }
}

const keyOf = (b: number, tokens: Int32Array) => `${b}:${tokens.join()}`;

function scoresOf({ layers, row }: Row, layer: number, head: number): Float32Array {
  const scores = layers[layer] as TensorValue;
  const [, heads = 1, , frames = 0] = scores.dims;
  const at = (row * heads + head) * frames;
  return Float32Array.from({ length: frames }, (_, i) => numbersOf(scores)[at + i] as number);
}
