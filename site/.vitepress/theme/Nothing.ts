/** In place of parts of VitePress's theme that no page shows. */
export default () => null;
