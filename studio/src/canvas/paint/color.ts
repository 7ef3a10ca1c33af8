type Channels = readonly [red: number, green: number, blue: number];

let scratch: CanvasRenderingContext2D | null = null;

/** Any opaque CSS colour as `#rrggbb`, which every SVG reader supports. */
export function hexadecimal(colour: string): string {
  scratch ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const context = scratch as CanvasRenderingContext2D;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return written([red, green, blue]);
}

const written = (channels: Channels): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

const channelsOf = (colour: string): Channels => {
  const bits = Number.parseInt(colour.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
};

/** Mixes `share` of the second colour into the first. */
export function mixed(a: string, b: string, share: number): string {
  const [first, second] = [channelsOf(a), channelsOf(b)];
  return written(first.map((channel, i) => channel + share * ((second[i] as number) - channel)) as unknown as Channels);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio; WCAG requires 4.5 for text. */
export function contrast(a: string, b: string): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

export const readableOn = (background: string): string =>
  contrast(background, '#000000') >= contrast(background, '#ffffff') ? '#000000' : '#ffffff';
