import type { Network } from './network.js';

export const LANGUAGE: Readonly<Record<string, Network>> = {};
