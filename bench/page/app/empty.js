globalThis.outcome = { milliseconds: performance.now(), error: 0 };
