// What is said once something has gone wrong: loaded only then.
export * from './feeds.js';
export * from './near.js';
