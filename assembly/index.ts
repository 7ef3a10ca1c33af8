export { fill } from './fill';
export { runProgram, setScratch } from './program';
