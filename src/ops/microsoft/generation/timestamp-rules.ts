import { LOWEST, type LogitsProcessor } from './logits-processors.js';

/** Special tokens of Whisper's vocabulary; all tokens from `firstTimestamp` on are timestamps. */
export interface WhisperTokens {
  readonly start: number;
  readonly end: number;
  readonly translate: number;
  readonly transcribe: number;
  readonly languageModel: number;
  readonly noTimestamps: number;
  readonly firstTimestamp: number;
}

/** The first timestamp is at most 1 s after the start; timestamps are 20 ms apart. */
const MAX_INITIAL_TIMESTAMP = 50;

function suppress(scores: Float32Array, from: number, to: number): void {
  for (let i = Math.max(from, 0); i < Math.min(to, scores.length); i++) scores[i] = LOWEST;
}

const suppressEach = (scores: Float32Array, tokens: readonly number[]) => {
  for (const token of tokens) suppress(scores, token, token + 1);
};

const greatest = (scores: Float32Array) => scores.reduce((a, b) => Math.max(a, b), LOWEST);

/** The logarithm of the total probability of all permitted timestamps. */
function timestampScore(scores: Float32Array): number {
  const most = greatest(scores);
  const sum = scores.reduce((total, x) => total + (x > LOWEST ? Math.exp(x - most) : 0), 0);
  return sum > 0 ? Math.log(sum) + most : LOWEST;
}

/** https://github.com/openai/whisper/blob/main/whisper/decoding.py, ApplyTimestampRules. */
export const timestampRules =
  (tokens: WhisperTokens): LogitsProcessor =>
  (scores, { sequence }) => {
    const { firstTimestamp, end } = tokens;
    const isTimestamp = (token: number | undefined) => (token ?? -1) >= firstTimestamp;
    const at = sequence.findIndex(isTimestamp);
    const begin = at < 0 ? sequence.length : at + 1;
    suppressEach(scores, [tokens.noTimestamps, tokens.languageModel]);
    if (sequence.length > begin) suppressEach(scores, [tokens.start, tokens.translate, tokens.transcribe]);
    const endsInOne = isTimestamp(sequence.at(-1));
    const endsInPair = sequence.length <= begin || isTimestamp(sequence.at(-2));
    if (endsInOne) {
      if (endsInPair) suppress(scores, firstTimestamp, scores.length);
      else suppress(scores, 0, end);
    }
    const last = sequence.findLast(isTimestamp);
    if (last !== undefined) suppress(scores, firstTimestamp, endsInOne && !endsInPair ? last : last + 1);
    if (sequence.length === begin) suppress(scores, firstTimestamp + MAX_INITIAL_TIMESTAMP + 1, scores.length);
    const text = scores.subarray(0, Math.max(firstTimestamp, 0));
    if (timestampScore(scores.subarray(text.length)) > greatest(text)) text.fill(LOWEST);
  };
