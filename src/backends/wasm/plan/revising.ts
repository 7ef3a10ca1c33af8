// Derives plans for other shapes; loaded when a session first meets a second shape.
export { beginMoving, explainStage } from './moving.js';
export { reviseStage } from './revise.js';
