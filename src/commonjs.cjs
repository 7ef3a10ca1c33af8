'use strict';
// What `require` of the package's entries gives. They are ES modules, which Node's `require` takes from 20.19 and 22.12 on.

const isRefusal = ({ code }) => code === 'ERR_REQUIRE_ESM';

/** What `requireHere` gives, else what Node gives outside of the context that Jest, whose `require` takes no ES module, runs tests in. */
exports.load = (requireHere, path) => {
  try {
    return requireHere();
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  try {
    return nodesOwnRequire()(path);
  } catch (error) {
    throw isRefusal(error) ? explained() : error;
  }
};

function nodesOwnRequire() {
  const { getBuiltinModule } = require('node:vm').runInThisContext('process');
  return getBuiltinModule('node:module').createRequire(__filename);
}

function explained() {
  const remedy = "load it with `await import('sardonyx')`, or use Node from 20.19 or 22.12 on";
  const message = `sardonyx is made of ES modules, which require() of Node ${process.versions.node} does not load: ${remedy}`;
  return Object.assign(new Error(message), { code: 'ERR_REQUIRE_ESM' });
}
