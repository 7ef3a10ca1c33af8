// Takes out of the image decoders what no picture of this package reaches: files become RGBA, as large as they are, without options.
// Functions are numbers, as these binaries have no names; each group says why nothing comes to it. What is left gives the same bits.
import { createHash } from 'node:crypto';
import binaryen from 'assemblyscript/binaryen';

const span = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Functions that trap from now on, and those that do nothing, by binary; what only they call goes with them. */
const UNREACHED = {
  'jpeg-decoder': {
    sha256: '80ed55eef2d0ff276f837ef521fad8181ccdfa6f298f652f6e45aed7fbbbc871',
    trapping: {
      'inverse transforms of 1 to 7 and 9 to 16 rows, for other scales; fast and float ones, for other methods (jidct*.c)':
        [...span(88, 94), ...span(96, 105)],
      'fewer colours: quantize_colors is false (jquant1.c, jquant2.c)': [135, 136, 139, 140, ...span(176, 184)],
      'upsampling with conversion: do_fancy_upsampling is true (jdmerge.c)': span(142, 150),
      'grey, as it is, and RGB565: out_color_space is JCS_EXT_RGBA (jdcolor.c)': [72, 73, 77, ...span(79, 85)],
      'sscanf of JPEGMEM, of an environment that is empty, and putenv, for flags that are 0 (jmemmgr.c, turbojpeg.c)': [
        14, 17, 23,
      ],
    },
    silent: { 'format_message: nobody reads what warnings and errors say (jerror.c)': [174] },
  },
  'webp-decoder': {
    sha256: 'b0bc0f19c589f0d7f27cd98191bc113d0779108a10f38538f466cea4985c480e',
    trapping: {
      'what assert prints before it ends': [6],
      'other orders of channels, where chroma is not halved: the mode is MODE_RGBA (yuv.c, upsampling.c)': [
        208,
        ...span(210, 214),
      ],
      'other sizes: there are no options (rescaler.c, io_dec.c)': [90, ...span(98, 102)],
    },
    silent: {},
  },
};

/** The binary of that name without what is never reached. */
export function trimmed(name, binary) {
  const { sha256, trapping, silent } = UNREACHED[name];
  const found = createHash('sha256').update(binary).digest('hex');
  if (found !== sha256)
    throw new Error(
      `${name}.wasm is another binary (${found}): tools/trim-decoders.mjs counts the functions of ${sha256}`,
    );
  const module = binaryen.readBinary(binary);
  const replace = (groups, body) => {
    for (const number of Object.values(groups).flat()) binaryen.Function(module.getFunction(`${number}`)).body = body();
  };
  replace(trapping, () => module.unreachable());
  replace(silent, () => module.nop());
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(1);
  module.optimize();
  if (!module.validate()) throw new Error(`${name}.wasm is no longer valid`);
  return module.emitBinary();
}
