export const fetchExample = (name = 'model') => fetch(`/${name}.json`).then((response) => response.json());
export const threads = Number(new URLSearchParams(location.search).get('threads'));
