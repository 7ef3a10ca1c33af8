import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** The declarations of each public entry, which `npm run build:js` writes. `sardonyx/inline` declares what `sardonyx` does. */
const entryPoints = Object.entries(exports)
  .filter(([name, { types }]) => types && !name.includes('*') && name !== './inline')
  .map(([, { types }]) => root + types.require);

/** The names under which programs import the entries. */
function nameModules(app) {
  app.converter.on('resolveBegin', ({ project }) => {
    for (const module of project.children ?? [])
      module.name = module.name === 'index' ? 'sardonyx' : `sardonyx/${module.name}`;
  });
}

export default {
  entryPoints,
  tsconfig: `${root}site/tsconfig.api.json`,
  plugin: ['typedoc-plugin-markdown', nameModules],
  out: `${root}docs/generated/api`,
  router: 'module',
  entryFileName: 'index',
  readme: 'none',
  name: 'API',
  validation: { notExported: false },
  disableSources: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  logLevel: 'Warn',
};
