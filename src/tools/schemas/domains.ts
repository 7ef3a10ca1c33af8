/** The newest version of each of ONNX's own domains. */
export const NEWEST: ReadonlyMap<string, number> = new Map([
  ['', 28],
  ['ai.onnx.ml', 5],
  ['ai.onnx.training', 1],
  ['ai.onnx.preview', 1],
  ['ai.onnx.preview.training', 1],
]);

export const domainOf = (domain: string): string => (domain === 'ai.onnx' ? '' : domain);
