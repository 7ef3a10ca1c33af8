const { sessionCases } = require('./session-cases.cjs');

sessionCases({
  test,
  expect,
  api: require('sardonyx'),
  builder: require('sardonyx/builder'),
  pool: require('sardonyx/pool'),
  worker: require('sardonyx/worker'),
  model: 'public/model.onnx',
});
