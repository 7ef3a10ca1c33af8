// A kernel that times others: compiled with the first profile of several threads.
export { timed } from './timed';
export { setScratch } from './program';
