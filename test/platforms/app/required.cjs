const { readFileSync } = require('node:fs');
const api = require('sardonyx');
const { modelBuilder } = require('sardonyx/builder');
const ort = require('sardonyx/onnxruntime');
const pool = require('sardonyx/pool');
const worker = require('sardonyx/worker');

/** As app/check.js does it, which is an ES module. */
(async () => {
  const { check, pooled } = await import('./check.js');
  const example = JSON.parse(readFileSync('model.json', 'utf8'));
  const outcomes = {
    main: await check(api, 'model.onnx', example, 2),
    worker: await check(worker, 'model.onnx', example, 1),
    pool: await check(pooled(pool), 'model.onnx', example),
  };
  const others = [modelBuilder, ort.default.Tensor, ort.Tensor].map((found) => typeof found);
  console.log(JSON.stringify({ outcomes, others }));
})();
