/** What a worker can be: `worker.ts` has the script of each. */
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
