// Text.
export * from '../text/regex-full-match.js';
export * from '../text/string-concat.js';
export * from '../text/string-normalizer.js';
export * from '../text/string-split.js';
export * from '../text/tf-idf-vectorizer.js';
