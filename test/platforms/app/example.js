export const fetchExample = () => fetch('/example.json').then((response) => response.json());
export const threads = Number(new URLSearchParams(location.search).get('threads'));
