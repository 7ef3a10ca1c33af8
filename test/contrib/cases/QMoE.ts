import type { OperatorCases } from '../case.js';
import { expertCases } from '../experts.js';

/** Activations are rounded to 16 bits twice: by 2⁻¹⁷ of up to some 10, times weights of 0.1, in each of up to 64 products. */
const IN_WORDS = { relative: 1e-4, absolute: 1e-4 };

export const operator: OperatorCases = { op: 'QMoE', tolerance: IN_WORDS, cases: expertCases(32, 'float32') };
