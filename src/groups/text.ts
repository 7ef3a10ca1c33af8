// Text.
export * from '../ops/text/regex-full-match.js';
export * from '../ops/text/string-concat.js';
export * from '../ops/text/string-normalizer.js';
export * from '../ops/text/string-split.js';
export * from '../ops/text/tf-idf-vectorizer.js';
