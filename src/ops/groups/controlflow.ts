// Control flow.
export * from '../controlflow/if.js';
export * from '../controlflow/loop.js';
export * from '../controlflow/scan.js';
