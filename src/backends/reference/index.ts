import type { Backend } from '../backend.js';
import { Interpreter } from './interpreter.js';

/**
 * Every operator by its plain definition in TypeScript, floating-point numbers in double precision from the inputs to the
 * outputs: slow, and what other backends are measured against.
 */
export const reference: Backend = {
  name: 'reference',
  supports: () => true,
  compile: (graph) => new Interpreter(graph),
};
