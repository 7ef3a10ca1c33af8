import type { Recipes } from '../step.js';
import { ACTIVATIONS } from './activations.js';
import { ATTRIBUTES } from './attributes.js';
import { BEGINNINGS } from './beginnings.js';
import { BROADCASTING } from './broadcasting.js';
import { CLASSIFIERS } from './classifiers.js';
import { DOUBLES } from './doubles.js';
import { FILLING } from './filling.js';
import { INDICES } from './indices.js';
import { LABELS } from './labels.js';
import { NORMALIZING } from './normalizing.js';
import { RECURRENT } from './recurrent.js';
import { RESIZING } from './resizing.js';
import { SCANNING } from './scanning.js';
import { SOFTMAX } from './softmax.js';
import { SPLITTING } from './splitting.js';
import { TRAINING } from './training.js';
import { TREES } from './trees.js';

const FAMILIES = [
  ...[ACTIVATIONS, NORMALIZING],
  ...[ATTRIBUTES, BEGINNINGS, BROADCASTING, DOUBLES, INDICES, LABELS],
  ...[RECURRENT, RESIZING, SCANNING, SOFTMAX, SPLITTING, TRAINING],
  ...[FILLING, TREES, CLASSIFIERS],
];

const merged = new Map<string, Recipes[string]>();
for (const [key, recipes] of FAMILIES.flatMap((family) => Object.entries(family)))
  merged.set(key, { ...merged.get(key), ...recipes });

/** A key may be in two families: one converts up, the other down. */
export const RECIPES: Recipes = Object.fromEntries(merged);
