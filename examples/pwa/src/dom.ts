export function byId<E extends HTMLElement>(id: string, type: abstract new () => E): E {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`there is no ${type.name} "${id}"`);
}
