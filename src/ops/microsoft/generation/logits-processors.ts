/** The least float32: what no token is chosen by. */
export const LOWEST = -3.4028234663852886e38;

/** Where scores are processed: the row they belong to, the tokens before them, and how many runs there were, this one included. */
export interface Place {
  readonly row: number;
  readonly sequence: Int32Array;
  readonly step: number;
}

/** Changes the scores [vocabulary] of the next token of one row. */
export type LogitsProcessor = (scores: Float32Array, place: Place) => void;

/** Tokens that are there already become less likely. */
export const repetitionPenalty =
  (penalty: number): LogitsProcessor =>
  (scores, { sequence }) => {
    for (const token of new Set(sequence)) {
      const score = scores[token] as number;
      scores[token] = score < 0 ? score * penalty : score / penalty;
    }
  };

/** No `size` tokens come in the same order twice. */
export const noRepeatedNgrams =
  (size: number): LogitsProcessor =>
  (scores, { sequence }) => {
    const prefix = sequence.subarray(sequence.length - size + 1);
    for (let i = 0; i + size <= sequence.length; i++) {
      if (prefix.every((token, k) => token === sequence[i + k])) scores[sequence[i + size - 1] as number] = LOWEST;
    }
  };

function forbid(scores: Float32Array, mask: ArrayLike<number>, offset: number): void {
  for (let i = 0; i < scores.length; i++) if (mask[offset + i] === 0) scores[i] = LOWEST;
}

export const vocabularyMask =
  (mask: ArrayLike<number>): LogitsProcessor =>
  (scores) =>
    forbid(scores, mask, 0);

/** A mask [batch,vocabulary] of the first token; a sequence of the batch has `beams` rows. */
export const prefixMask =
  (mask: ArrayLike<number>, beams: number): LogitsProcessor =>
  (scores, { row, step }) => {
    if (step === 1) forbid(scores, mask, Math.floor(row / beams) * scores.length);
  };

export const minLength =
  (length: number, endToken: number): LogitsProcessor =>
  (scores, { sequence }) => {
    if (sequence.length < length) scores[endToken] = LOWEST;
  };

export const temperature =
  (value: number): LogitsProcessor =>
  (scores) => {
    for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] as number) / value;
  };

/** `mask` [batch,vocabulary] counts what is there already. */
export const presencePenalty =
  (mask: ArrayLike<number>, penalty: number): LogitsProcessor =>
  (scores, { row }) => {
    const offset = row * scores.length;
    for (let i = 0; i < scores.length; i++)
      scores[i] = (scores[i] as number) - Math.fround((mask[offset + i] as number) * penalty);
  };

/** Tokens [batch,count] that come first whatever the scores; in each row up to the first below 0. */
export const forcedTokens =
  (tokens: ArrayLike<number>, count: number, beams: number): LogitsProcessor =>
  (scores, { row, step }) => {
    const at = Math.floor(row / beams) * count;
    if (step > count) return;
    for (let i = 0; i < step; i++) if ((tokens[at + i] as number) < 0) return;
    scores.fill(LOWEST);
    scores[tokens[at + step - 1] as number] = 0;
  };
