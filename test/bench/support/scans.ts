// Scanned pages of known text: several fonts, sizes and columns, printed, then skewed, blurred, faded and soiled as scanners do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPdf } from '../../../server/adapters/extract/pdf/document.ts';
import type { GreyPicture } from '../../../server/lib/pictures/grey-picture.ts';
import { type Print, pdf } from '../../adapters/extract/fixtures/pdf.ts';
import { greyPng } from './grey-png.ts';
import { randomFrom } from './texts.ts';

export interface Scan {
  readonly name: string;
  readonly text: string;
  readonly picture: GreyPicture;
}

interface Look {
  readonly name: string;
  readonly print: Print;
  /** Degrees, clockwise. */
  readonly skew?: number;
  /** How far each pixel runs into its neighbours, from 0 to 1. */
  readonly blur?: number;
  /** The largest change of a pixel by noise, in steps of grey. */
  readonly noise?: number;
  /** The steps of grey between paper and ink; default: 255. */
  readonly contrast?: number;
  readonly paper?: number;
  /** Dark specks for each million pixels. */
  readonly specks?: number;
}

const print = (font: string, points: number, columns = 1): Print => ({ font, points, columns });

/** The first half is for comparing ways to recognise; the second is looked at when a way is chosen. */
const LOOKS: readonly Look[] = [
  { name: 'sans', print: print('Helvetica', 11) },
  { name: 'serif, skewed', print: print('Times-Roman', 11), skew: 0.7, noise: 20, blur: 0.3 },
  { name: 'typewriter', print: print('Courier', 10), noise: 30, contrast: 190, paper: 235 },
  { name: 'small serif', print: print('Times-Roman', 8), noise: 12, skew: -0.4 },
  { name: 'two columns', print: print('Times-Roman', 10, 2), noise: 16, skew: 0.3 },
  { name: 'faded', print: print('Helvetica', 10), contrast: 90, paper: 225, noise: 14, blur: 0.5 },
  { name: 'bold, specks', print: print('Helvetica-Bold', 12), specks: 400, skew: 1.4 },
  { name: 'strongly skewed', print: print('Times-Roman', 12), skew: -3.2, noise: 18 },
  { name: 'italic', print: print('Times-Italic', 11), noise: 16, skew: -0.6 },
  { name: 'small sans', print: print('Helvetica', 8), noise: 14, blur: 0.3 },
  { name: 'two columns of sans', print: print('Helvetica', 9, 2), skew: 0.9, noise: 20 },
  { name: 'large serif', print: print('Times-Roman', 16), blur: 0.6, noise: 30, skew: 0.2 },
  { name: 'typewriter, skewed', print: print('Courier', 11), skew: -1.1, blur: 0.4, noise: 18 },
  { name: 'grey paper', print: print('Times-Bold', 10), paper: 190, contrast: 130, noise: 20 },
  { name: 'specks', print: print('Times-Roman', 10), specks: 700, noise: 10 },
  { name: 'turned far', print: print('Helvetica', 11), skew: 4.1, noise: 12 },
];

const SENTENCES = join(import.meta.dirname, '..', '..', 'memories', 'worth', 'sentences.json');
/** Of an em, on average. */
const CHARACTER_WIDTH: Readonly<Record<string, number>> = {
  Courier: 0.6,
  Helvetica: 0.53,
  'Helvetica-Bold': 0.57,
};
const WIDTH = 475;
const HEIGHT = 700;

/** Pages that were printed and scanned. `half`: those to compare with, or those that were kept apart. */
export async function scannedPages(half: 'compared' | 'kept'): Promise<Scan[]> {
  const middle = LOOKS.length / 2;
  const from = half === 'compared' ? 0 : middle;
  const texts = pagesOfText();
  return Promise.all(
    LOOKS.slice(from, from + middle).map(async (look, i) => {
      const lines = linesOf(texts, from + i, look.print);
      return { name: look.name, text: lines.join('\n'), picture: await scanned(lines, look, from + i) };
    }),
  );
}

/** Prose with names, dates and amounts, in an order of its own for each page. */
const pagesOfText = (): string[] => {
  const all = JSON.parse(readFileSync(SENTENCES, 'utf8')) as { said: string }[];
  return all.map(({ said }) => said.replace(/[^ -~]/g, ''));
};

const linesOf = (sentences: readonly string[], page: number, { font, points, columns }: Print): string[] => {
  const most = Math.floor(
    (WIDTH / columns - (columns - 1) * 12) / (points * (CHARACTER_WIDTH[font] ?? 0.47)),
  );
  const count = Math.floor(HEIGHT / (points * 1.17)) * columns;
  const words = sentences
    .slice((page * 31) % sentences.length)
    .concat(sentences)
    .join(' ')
    .split(/\s+/);
  const lines: string[] = [];
  for (let line = ''; lines.length < count; ) {
    const word = words.shift() ?? '';
    if (line.length + word.length + 1 > most) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return lines;
};

const scanned = async (lines: readonly string[], look: Look, seed: number): Promise<GreyPicture> => {
  const document = await openPdf(pdf([{ lines, print: look.print }]));
  const page = document.page(0);
  if (page === null) throw new Error('The page cannot be rendered.');
  const printed = page.render();
  page.close();
  document.close();
  return soiled(blurred(skewed(printed, look.skew ?? 0), look.blur ?? 0), look, seed);
};

/** Turned around its middle; each pixel is mixed from its four sources. */
const skewed = ({ width, height, pixels }: GreyPicture, degrees: number): GreyPicture => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const turned = Buffer.alloc(width * height, 255);
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 255 : (pixels[y * width + x] ?? 255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const [fromX, fromY] = [cos * dx + sin * dy + width / 2, cos * dy - sin * dx + height / 2];
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      const [right, low] = [fromX - left, fromY - top];
      const above = at(left, top) * (1 - right) + at(left + 1, top) * right;
      const below = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right;
      turned[y * width + x] = Math.round(above * (1 - low) + below * low);
    }
  return { width, height, pixels: turned };
};

const blurred = ({ width, height, pixels }: GreyPicture, share: number): GreyPicture => {
  const mixed = Buffer.from(pixels);
  for (let i = width; i < pixels.length - width; i++) {
    const around =
      ((pixels[i - 1] ?? 0) + (pixels[i + 1] ?? 0) + (pixels[i - width] ?? 0) + (pixels[i + width] ?? 0)) / 4;
    mixed[i] = Math.round((pixels[i] ?? 0) * (1 - share) + around * share);
  }
  return { width, height, pixels: mixed };
};

const soiled = (
  { width, height, pixels }: GreyPicture,
  { contrast = 255, paper = 255, noise = 0, specks = 0 }: Look,
  seed: number,
): GreyPicture => {
  const random = randomFrom(seed + 1);
  const spread = (): number => (random() + random() - 1) * noise;
  const dirty = Buffer.from(
    pixels.map((grey) => Math.max(0, Math.min(255, paper - ((255 - grey) * contrast) / 255 + spread()))),
  );
  for (let i = 0; i < (specks * width * height) / 1e6; i++) {
    const spot = Math.floor(random() * (width * height - width - 1));
    for (const near of [0, 1, width]) dirty[spot + near] = 40;
  }
  return { width, height, pixels: dirty };
};

/** A PDF of such pages, each a picture as large as its page. */
export const pdfOfScans = (scans: readonly Scan[]): Buffer =>
  pdf(scans.map(({ picture }) => ({ lines: [], picture: greyPng(picture), fills: true as const })));
