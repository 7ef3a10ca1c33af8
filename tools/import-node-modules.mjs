/** CommonJS packages get Node's modules by import, since `require` does not exist in an ES module. */
export const importNodeModules = {
  name: 'import-node-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: 'required' } : { path, external: true },
    );
    onResolve({ filter: /^default:/ }, ({ path }) => ({ path: path.slice('default:'.length), namespace: 'default' }));
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('default:${path}').default;`,
    }));
    onLoad({ filter: /.*/, namespace: 'default' }, ({ path }) => ({ contents: `export { default } from '${path}';` }));
  },
};
