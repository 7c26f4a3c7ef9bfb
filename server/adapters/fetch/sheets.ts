// Online spreadsheets: the link that people share leads to a program; its table is had from another address.

const PUBLISHED = /^\/spreadsheets\/d\/e\/([\w-]+)(?:\/|$)/;
const SHARED = /^\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]+)(?:\/|$)/;

/** Which of the tables; the link names it behind the # or the ?. */
const tableOf = (url: URL): string | null => {
  const behind = new URLSearchParams(url.hash.slice(1)).get('gid') ?? url.searchParams.get('gid');
  return behind !== null && /^\d{1,12}$/.test(behind) ? behind : null;
};

/** Where the table stands as CSV; null: this is no link to an online spreadsheet. */
export function sheetAddress(url: URL): string | null {
  if (url.hostname !== 'docs.google.com') return null;
  const gid = tableOf(url);
  const published = PUBLISHED.exec(url.pathname)?.[1];
  if (published !== undefined) {
    const one = gid === null ? '' : `&single=true&gid=${gid}`;
    return `https://docs.google.com/spreadsheets/d/e/${published}/pub?output=csv${one}`;
  }
  const shared = SHARED.exec(url.pathname)?.[1];
  if (shared === undefined) return null;
  return `https://docs.google.com/spreadsheets/d/${shared}/export?format=csv${gid === null ? '' : `&gid=${gid}`}`;
}

/** `Prices - Sheet1.csv` → `Prices - Sheet1` */
export const sheetTitle = (fileName: string | undefined): string | undefined =>
  fileName?.replace(/\.csv$/i, '').trim() || undefined;
