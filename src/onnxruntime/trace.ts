/** onnxruntime-common's marks for profilers: none is made. */
export const TRACE = (_deviceType: string, _label: string): void => {};
export const TRACE_FUNC_BEGIN = (_message?: string): void => {};
export const TRACE_FUNC_END = TRACE_FUNC_BEGIN;
export const TRACE_EVENT_BEGIN = TRACE_FUNC_BEGIN;
export const TRACE_EVENT_END = TRACE_FUNC_BEGIN;
