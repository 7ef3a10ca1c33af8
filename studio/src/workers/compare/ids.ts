/** The path of the graph that a node is in: `12/body` of `12/body/3`. */
export const pathOf = (id: string): string => id.slice(0, Math.max(id.lastIndexOf('/'), 0));

export const indexOf = (id: string): number => Number(id.slice(id.lastIndexOf('/') + 1));
