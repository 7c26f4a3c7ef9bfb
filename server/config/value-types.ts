// The value types of settings. Their errors complete the sentence "expected …".
import { isIP } from 'node:net';
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

const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** An address, or a network with the number of its leading bits. */
const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    most > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
};

/** Addresses and networks, separated by commas or spaces. */
export const proxyList = z
  .string()
  .transform((text) => text.split(/[,\s]+/).filter((one) => one !== ''))
  .refine((list) => list.every((one) => NETWORK_NAMES.includes(one) || isNetwork(one)), {
    error: 'addresses, networks as in 10.0.0.0/8, or loopback, separated by commas',
  });
