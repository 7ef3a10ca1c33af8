/** The lowest float32: the score of a token that must not be chosen. */
export const LOWEST = -3.4028234663852886e38;

/** Context of scores: their row, the tokens before them, and the number of runs, including this one. */
export interface Place {
  readonly row: number;
  readonly sequence: Int32Array;
  readonly step: number;
}

/** Modifies the scores [vocabulary] of the next token of one row. */
export type LogitsProcessor = (scores: Float32Array, place: Place) => void;

/** Lowers the scores of tokens that already occur. */
export const repetitionPenalty =
  (penalty: number): LogitsProcessor =>
  (scores, { sequence }) => {
    for (const token of new Set(sequence)) {
      const score = scores[token] as number;
      scores[token] = score < 0 ? score * penalty : score / penalty;
    }
  };

/** Forbids an n-gram of `size` tokens to occur twice. */
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

/** Masks the first token by [batch,vocabulary]; each batch element has `beams` rows. */
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

/** Penalizes tokens by their counts in `mask` [batch,vocabulary]. */
export const presencePenalty =
  (mask: ArrayLike<number>, penalty: number): LogitsProcessor =>
  (scores, { row }) => {
    const offset = row * scores.length;
    for (let i = 0; i < scores.length; i++)
      scores[i] = (scores[i] as number) - Math.fround((mask[offset + i] as number) * penalty);
  };

/** Forces the first tokens to be `tokens` [batch,count]; in each row up to the first negative one. */
export const forcedTokens =
  (tokens: ArrayLike<number>, count: number, beams: number): LogitsProcessor =>
  (scores, { row, step }) => {
    const at = Math.floor(row / beams) * count;
    if (step > count) return;
    for (let i = 0; i < step; i++) if ((tokens[at + i] as number) < 0) return;
    scores.fill(LOWEST);
    scores[tokens[at + step - 1] as number] = 0;
  };
