/** A trace marker of onnxruntime-common. It does nothing, like the others below. */
export const TRACE = (_deviceType: string, _label: string): void => {};
/** Does nothing. */
export const TRACE_FUNC_BEGIN = (_message?: string): void => {};
/** Does nothing. */
export const TRACE_FUNC_END = TRACE_FUNC_BEGIN;
/** Does nothing. */
export const TRACE_EVENT_BEGIN = TRACE_FUNC_BEGIN;
/** Does nothing. */
export const TRACE_EVENT_END = TRACE_FUNC_BEGIN;
