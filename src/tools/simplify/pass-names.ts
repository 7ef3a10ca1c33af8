// The names of all passes in order. They are separate from the rules so that the names can be used without loading
// these. A test compares them with passes.ts.

/** Passes that are not rewrite rules. */
export const CONSTANTS = 'constants folded';
export const TWINS = 'equal nodes merged';

/** The names of all passes, each of which can be skipped. */
export const PASSES: readonly string[] = [
  CONSTANTS,
  TWINS,
  'identity',
  'cast to the same type',
  'view of the same dims',
  'transposition of nothing',
  'concatenation of one',
  'axes there and back',
  'padding or division of nothing',
  'GELU from erf',
  'GELU from tanh',
  'SiLU from sigmoid',
  'hard swish from hard sigmoid',
  'hard swish from clip',
  'hard sigmoid from clip',
  'layer normalization from its parts',
  'group normalization from its parts',
  'attention from its parts, with mask',
  'attention from its parts',
  "transposition into attention's q",
  "transposition into attention's k",
  "transposition into attention's v",
  "transposition of attention's result",
  'times or over 1',
  'plus or minus 0',
  'times the number 1',
  'two constant factors',
  'shape of sizes',
];
