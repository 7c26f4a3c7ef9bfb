// Online spreadsheets: a shared link opens a program; the table has another address.

const PUBLISHED = /^\/spreadsheets\/d\/e\/([\w-]+)(?:\/|$)/;
const SHARED = /^\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]+)(?:\/|$)/;

/** The id of the table; the link has it behind the # or the ?. */
const tableId = (url: URL): string | null => {
  const id = new URLSearchParams(url.hash.slice(1)).get('gid') ?? url.searchParams.get('gid');
  return id !== null && /^\d{1,12}$/.test(id) ? id : null;
};

/** The address of the table as CSV; null for any other link. */
export const sheetAddress = (url: URL): string | null => {
  if (url.hostname !== 'docs.google.com') return null;
  const gid = tableId(url);
  const published = PUBLISHED.exec(url.pathname)?.[1];
  if (published !== undefined) {
    const one = gid === null ? '' : `&single=true&gid=${gid}`;
    return `https://docs.google.com/spreadsheets/d/e/${published}/pub?output=csv${one}`;
  }
  const shared = SHARED.exec(url.pathname)?.[1];
  if (shared === undefined) return null;
  return `https://docs.google.com/spreadsheets/d/${shared}/export?format=csv${gid === null ? '' : `&gid=${gid}`}`;
};

/** `Prices - Sheet1.csv` → `Prices - Sheet1` */
export const sheetTitle = (fileName: string | undefined): string | undefined =>
  fileName?.replace(/\.csv$/i, '').trim() || undefined;
