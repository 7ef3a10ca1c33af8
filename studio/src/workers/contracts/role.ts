/** The roles of a worker; `worker.ts` has the script for each. */
export type Role =
  | 'compare'
  | 'documents'
  | 'find'
  | 'layout'
  | 'logs'
  | 'onnxruntime-web'
  | 'quantize'
  | 'runs'
  | 'verify';
