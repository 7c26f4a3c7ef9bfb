// The browser of this machine, for tests of pages.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const MISSING = 'No browser is installed here: install chromium, or name one in CHROMIUM_PATH.';

/** Starts the browser for the body, or skips the test where none is installed. */
export const withBrowser = async (
  skip: (reason: string) => unknown,
  body: (browser: Browser) => Promise<void>,
): Promise<void> => {
  const executablePath = PLACES.find((path) => path !== '' && existsSync(path));
  if (executablePath === undefined) return void skip(MISSING);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await body(browser);
  } finally {
    await browser.close();
  }
};
