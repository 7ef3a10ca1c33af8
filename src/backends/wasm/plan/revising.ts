// All that plans for other shapes are made by: loaded when a session first meets a second shape.
export { Ahead } from './ahead.js';
export { Progression } from './progression.js';
export { reviseStage } from './revise.js';
