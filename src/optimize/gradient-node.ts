import type { Node } from '../graph/graph.js';

export const isGradient = ({ domain, op }: Node): boolean => domain === 'ai.onnx.preview.training' && op === 'Gradient';
