import type { OperatorCases } from '../case.js';
import { expertCases } from '../experts.js';

export const operator: OperatorCases = { op: 'QMoE', cases: expertCases(32, 'float32') };
