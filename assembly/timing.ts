// A kernel that times others. It is compiled with the first profile of several threads.
export { timed } from './timed';
export { setScratch } from './program';
