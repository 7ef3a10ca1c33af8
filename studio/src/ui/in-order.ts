/** A word with letters of right-to-left scripts: Hebrew to Thaana, Arabic and its forms, and later additions. */
const FROM_RIGHT =
  /[^\s[\](),]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}][^\s[\](),]*/gu;
const [ISOLATE, END] = ['\u2068', '\u2069'];

/** Keeps `float32[שורות, 3]` in written order: each name keeps its own direction without affecting the text around it. */
export const inOrder = (text: string): string => text.replace(FROM_RIGHT, (word) => `${ISOLATE}${word}${END}`);
