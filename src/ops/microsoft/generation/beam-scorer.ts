import { type Sequences, sequenceOf } from './sequences.js';

/** Settings of beam search. */
export interface BeamSettings {
  readonly batch: number;
  readonly beams: number;
  readonly lengthPenalty: number;
  readonly earlyStopping: boolean;
  readonly endToken: number;
  readonly padToken: number;
}

interface Hypothesis {
  readonly tokens: Int32Array;
  readonly score: number;
}

/** Finished sequences of one batch element, best first, at most `beams`. */
interface Hypotheses {
  readonly best: Hypothesis[];
  done: boolean;
}

/** Per row: its next token, the row that it continues, and the sum of its log probabilities. */
export interface Beams {
  readonly tokens: number[];
  readonly sources: number[];
  readonly scores: Float32Array;
}

/** Indices of the `count` largest scores, in descending order; among equal scores the first. */
export function topPlaces(scores: Float32Array, count: number): number[] {
  const places: number[] = [];
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] as number;
    if (places.length === count && !(score > (scores[places[count - 1] as number] as number))) continue;
    let at = places.length;
    while (at > 0 && score > (scores[places[at - 1] as number] as number)) at--;
    places.splice(at, 0, i);
    if (places.length > count) places.pop();
  }
  return places;
}

const penalized = (sum: number, length: number, penalty: number) => Math.fround(sum / Math.fround(length ** penalty));

export class BeamScorer {
  readonly #hypotheses: readonly Hypotheses[];

  constructor(private readonly settings: BeamSettings) {
    this.#hypotheses = Array.from({ length: settings.batch }, () => ({ best: [], done: false }));
  }

  get isDone(): boolean {
    return this.#hypotheses.every(({ done }) => done);
  }

  /** Selects the best continuations; `scores` is [batch,beams·vocabulary]. */
  choose(sequences: Sequences, scores: Float32Array): Beams {
    const { batch, beams } = this.settings;
    const chosen: Beams = { tokens: [], sources: [], scores: new Float32Array(batch * beams) };
    const size = scores.length / batch;
    const best = this.#hypotheses.map((_, b) => topPlaces(scores.subarray(b * size, (b + 1) * size), 2 * beams));
    const bestScores = best.flatMap((places, b) => places.map((place) => scores[b * size + place] as number));
    for (const [b, own] of this.#hypotheses.entries()) {
      if (own.done) {
        this.#pad(chosen);
        continue;
      }
      this.#continue(own, sequences, { scores, size, places: best[b] as number[] }, b, chosen);
      own.done = this.#isComplete(own, Math.max(...bestScores.slice(b * beams, (b + 2) * beams)), sequences.length);
    }
    return chosen;
  }

  /** Adds unfinished sequences as they are, and returns the best `count` of each batch element. */
  best(sequences: Sequences, scores: Float32Array, count: number): Hypothesis[] {
    const { beams } = this.settings;
    return this.#hypotheses.flatMap((own, b) => {
      for (let row = b * beams; row < (b + 1) * beams && !own.done; row++)
        this.#add(own, sequenceOf(sequences, row), scores[row] as number);
      return own.best.slice(0, count);
    });
  }

  #pad({ tokens, sources }: Beams): void {
    for (let j = 0; j < this.settings.beams; j++) {
      tokens.push(this.settings.padToken);
      sources.push(0);
    }
  }

  #continue(
    own: Hypotheses,
    sequences: Sequences,
    { scores, size, places }: { scores: Float32Array; size: number; places: readonly number[] },
    b: number,
    chosen: Beams,
  ): void {
    const { beams, endToken } = this.settings;
    const vocabulary = size / beams;
    for (const [j, place] of places.entries()) {
      const token = place % vocabulary;
      const source = b * beams + Math.floor(place / vocabulary);
      const score = scores[b * size + place] as number;
      if (token !== endToken) {
        chosen.scores[chosen.tokens.length] = score;
        chosen.tokens.push(token);
        chosen.sources.push(source);
      } else if (j < beams) this.#add(own, sequenceOf(sequences, source), score);
      if (chosen.tokens.length === (b + 1) * beams) break;
    }
  }

  #add({ best }: Hypotheses, tokens: Int32Array, sum: number): void {
    const { beams, lengthPenalty } = this.settings;
    const score = penalized(sum, tokens.length, lengthPenalty);
    let at = best.length;
    while (at > 0 && score > (best[at - 1] as Hypothesis).score) at--;
    best.splice(at, 0, { tokens: tokens.slice(), score });
    if (best.length > beams) best.pop();
  }

  #isComplete({ best }: Hypotheses, bestSum: number, length: number): boolean {
    const { beams, lengthPenalty, earlyStopping } = this.settings;
    if (best.length < beams) return false;
    return earlyStopping || (best[beams - 1] as Hypothesis).score >= penalized(bestSum, length, lengthPenalty);
  }
}
