import type { Network } from './network.js';

export const QUANTIZED: Readonly<Record<string, Network>> = {};
