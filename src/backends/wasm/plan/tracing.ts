// Traces stages, so that they can be moved to other sizes; loaded when a session first meets a second shape.
export { makeMovable } from './movable.js';
export { namesOfVarying } from './symbolic-facts.js';
