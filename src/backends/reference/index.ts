import type { Backend } from '../backend.js';
import { Interpreter } from './interpreter.js';

/**
 * Runs every operator by its plain definition in TypeScript, in double precision from the inputs to the outputs. It is
 * slow, and other backends are measured against it.
 */
export const reference: Backend = {
  name: 'reference',
  supports: () => true,
  compile: (graph) => new Interpreter(graph),
};
