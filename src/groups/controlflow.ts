// Control flow.
export * from '../ops/controlflow/if.js';
export * from '../ops/controlflow/loop.js';
export * from '../ops/controlflow/scan.js';
