// The value types that several settings share. Their errors complete the sentence "expected …".
import { z } from 'zod';

export const wholeNumberSetting = (min: number, max: number) => {
  const error = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error, abort: true })
    .transform(Number)
    .pipe(z.int().min(min, { error }).max(max, { error }));
};

const isBareUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === '';
};

/** An address without a trailing slash. */
export const webAddress = z
  .string()
  .refine(isBareUrl, { error: 'an http or https address, as in https://memory.example.org' })
  .transform((text) => text.replace(/\/+$/, ''));

/** Language codes, separated by commas, spaces or plus signs. */
export const languageCodes = z
  .string()
  .regex(/^[a-z]{3}[a-z_]{0,16}(?:[,+ ]+[a-z]{3}[a-z_]{0,16}){0,7}$/, {
    error: 'at most eight language codes, as in eng,deu',
  })
  .transform((text) => text.split(/[,+ ]+/));
