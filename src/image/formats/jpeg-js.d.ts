declare module 'jpeg-js/lib/decoder.js' {
  import type jpeg from 'jpeg-js';

  const decode: typeof jpeg.decode;
  export default decode;
}
