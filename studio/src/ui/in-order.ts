/** A word with letters of scripts that go from right to left: Hebrew to Thaana, Arabic and its forms, and what was added beyond. */
const FROM_RIGHT =
  /[^\s[\](),]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}][^\s[\](),]*/gu;
const [ISOLATE, END] = ['\u2068', '\u2069'];

/** `float32[שורות, 3]` as it is written: each name keeps its own direction, and changes that of nothing around it. */
export const inOrder = (text: string): string => text.replace(FROM_RIGHT, (word) => `${ISOLATE}${word}${END}`);
