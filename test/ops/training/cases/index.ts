import type { Case } from './case.js';
import { elementwise } from './elementwise.js';
import { matrices } from './matrices.js';
import { movement } from './movement.js';
import { newest } from './newest.js';
import { recurrent } from './recurrent.js';
import { reductions } from './reductions.js';
import { sampling } from './sampling.js';
import { traditionalml } from './traditionalml.js';
import { optimizers } from './training.js';
import { windows } from './windows.js';

/** A row for every operator that has derivatives, and for its attributes. */
export const cases: readonly Case[] = [
  ...elementwise,
  ...matrices,
  ...movement,
  ...newest,
  ...optimizers,
  ...recurrent,
  ...reductions,
  ...sampling,
  ...traditionalml,
  ...windows,
];
